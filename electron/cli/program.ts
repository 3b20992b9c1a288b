import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import packageJson from '../../package.json' with { type: 'json' }
import { systemClock } from '../adapters/clock.ts'
import { folderFailure, takeDataFolder, type Taking } from '../adapters/owner/data-folder.ts'
import type { FileSystemFacts } from '../adapters/owner/file-system.ts'
import type { OwnerWaits } from '../adapters/owner/limits.ts'
import { connectToOwner, NoOwner, ownerNamed, type Owner } from '../adapters/owner/owner-client.ts'
import { serveClients, type OwnerServer } from '../adapters/owner/owner-server.ts'
import { ownerPlace, type OwnerPlace } from '../adapters/owner/place.ts'
import { contractVersion } from '../adapters/owner/wire.ts'
import { openSchemaChecks } from '../adapters/schema-checks.ts'
import { Failed, type Failure, type FailureOf } from '../contract/failure.ts'
import { percentOf } from '../contract/progress.ts'
import { createCore, type Core } from '../core/app.ts'
import { operatingSystemUser } from '../core/journal/journal.ts'
import type { DataFolder } from '../core/platform.ts'
import { runInOwner, type Ending } from './command-client.ts'
import { openCommandServer } from './command-server.ts'
import type { Terminal } from './command.ts'
import type { DemonstrationProcess } from './demonstration.ts'
import { commandLinePlatform } from './platform.ts'
import { opensDataFolder, runIn, saidOf } from './run-command.ts'
import { Run, type CutOff } from './run.ts'
import { sentence } from './sentences.ts'
import { standardStreams, standardTerminal } from './terminal.ts'
import { redactionOf } from './redaction.ts'

export interface ProgramDeps {
  /** The data folder. */
  readonly home: string
  /** HEADROOM_KEY; null: none. */
  readonly key: string | null
  readonly waits: OwnerWaits
  /** What the system reports about the file system under the data folder; missing: it is queried. */
  readonly fileSystem?: ((folder: string) => FileSystemFacts) | undefined
  readonly demonstration: DemonstrationProcess
  /** The file of the database's thread. */
  readonly workerUrl: URL
}

/** Interval for contacting an owner that has just started or ended. Lower it if a hand-over feels slow. */
const lookAgainInMs = 50

/**
 * Runs one command, as the owner of the data folder or through it; returns the exit code: 0 done, 2 wrong
 * usage, 3 failed, 4 partly done.
 */
export function runCommandLine(argv: readonly string[], deps: ProgramDeps): Promise<number> {
  const redact = redactionOf(argv, deps.key)
  const standard = standardTerminal()
  const terminal: Terminal = {
    ...standard,
    say: (lines) => standard.say(typeof lines === 'string' ? redact(lines) : lines.map(redact)),
  }
  if (!opensDataFolder(argv)) {
    const open = (): never => {
      throw new Error('this command opens no data folder')
    }
    const alone = { clock: systemClock, schemas: openSchemaChecks(deps.workerUrl) }
    return runIn({ terminal, demonstration: deps.demonstration, open, alone }, argv)
  }
  return new Program(argv, deps, terminal, redact).run()
}

class Program {
  readonly #deps: ProgramDeps
  readonly #terminal: Terminal
  readonly #redact: (text: string) => string
  readonly #argv: readonly string[]
  /** The remaining arguments of the command: its own, or those with which it continues. */
  #words: readonly string[]

  constructor(
    argv: readonly string[],
    deps: ProgramDeps,
    terminal: Terminal,
    redact: (text: string) => string,
  ) {
    this.#argv = argv
    this.#words = argv
    this.#deps = deps
    this.#terminal = terminal
    this.#redact = redact
  }

  async run(): Promise<number> {
    const { home, waits } = this.#deps
    let since = performance.now()
    /** false: the folder is to be handed over to another process, which gets time to take it. */
    let mayOwn = true
    let hasLost = false
    for (;;) {
      const taking: Taking = mayOwn
        ? await takeDataFolder(home, waits, this.#deps.fileSystem)
        : { kind: 'taken' as const, place: ownerPlace(home) }
      if (taking.kind === 'read-only') return this.#look(taking)
      const ending = taking.kind === 'owned' ? await this.#own(taking) : await this.#beside(taking.place)
      if (ending.kind === 'ended') return ending.code
      if (ending.kind === 'none') {
        const isOver = performance.now() - since > waits.connectInMs
        if (isOver && mayOwn) return this.#failed(folderFailure(ending.reason, ownerNamed(taking.place)))
        mayOwn ||= isOver
        await wait(lookAgainInMs)
        continue
      }
      if (ending.kind === 'lost') {
        const code = this.#lost(ending, hasLost)
        if (code !== null) return code
        hasLost = true
      } else {
        this.#words = ending.words
        mayOwn = taking.kind !== 'owned'
      }
      since = performance.now()
    }
  }

  /** Runs it here, together with the commands that clients send meanwhile. */
  async #own({ place, lock, folder, takenTwice }: Extract<Taking, { kind: 'owned' }>): Promise<CutOff> {
    const { waits } = this.#deps
    const run = new Run(this.#words, this.#terminal)
    const wanted = Promise.withResolvers<null>()
    let opening: Promise<Core> | null = null
    const opened = Promise.withResolvers<Core>()
    // There may be no listener.
    opened.promise.catch(() => undefined)
    const commands = openCommandServer({
      core: opened.promise,
      run: runIn,
      wanted: () => wanted.resolve(null),
    })
    let closed: Promise<void> | null = null
    const close = (): Promise<void> =>
      (closed ??= (async () => (await opening?.catch(() => null))?.close())())
    let server: OwnerServer | null = null
    try {
      server = await serveClients({
        place,
        waits,
        name: processName,
        onClient: commands.serve,
        onTakenTwice: takenTwice,
      }).catch(() => null)
      const ended = run.begin(
        runIn(
          {
            terminal: run.terminal,
            demonstration: this.#deps.demonstration,
            open: async (organization) => {
              opening = this.#open(folder, organization)
              void opening.then(opened.resolve, opened.reject)
              const actor = { who: operatingSystemUser(), sending: run.sending }
              return (await opening).forCommand({ organization, actor })
            },
          },
          this.#words,
        ),
      )
      const code = await Promise.race([ended, wanted.promise])
      if (code !== null) {
        opened.reject(new Error('the command ended before the core was opened'))
        await Promise.race([wanted.promise, clientsGone(server, waits.stayInMs)])
        await commands.handOver(close)
        return { kind: 'ended', code }
      }
      await commands.handOver(close, run)
      const cut = await run.cutOff()
      if (cut.kind === 'ended' || this.#deps.key === null || !run.hasBegun) return cut
      this.#terminal.say(
        `Another process took over the data folder, so HEADROOM_KEY is no longer used. Unsent items are paused. Resume them with headroom ${cut.words.slice(0, 3).join(' ')} --unlock`,
      )
      return { kind: 'ended', code: run.hasSent ? 4 : 3 }
    } finally {
      await close()
      // Close the socket first: after the lock is released, it may be the socket of the next owner.
      await server?.close()
      lock.release()
    }
  }

  #open(
    folder: DataFolder,
    organization: string | null,
    notWhole: (why: string) => void = () => undefined,
  ): Promise<Core> {
    const { home, demonstration, key, workerUrl } = this.#deps
    const platform = commandLinePlatform({
      version: packageJson.version,
      home,
      workerUrl,
      demonstration: demonstration.start,
      keyFromEnvironment: key,
      notWhole,
      dataFolder: folder,
    })
    for (const failure of platform.unsafeSetup) this.#terminal.say(sentence(failure))
    const { progress } = this.#terminal
    return createCore(platform, {
      organization,
      rebuilding: (far) => progress(`Preparing the data for this version: ${percentOf(far) ?? 0} %`),
    }).finally(() => progress(null))
  }

  /** The last stored state, if the folder cannot be locked: nothing is served and nothing is sent. */
  async #look({ folder }: Extract<Taking, { kind: 'read-only' }>): Promise<number> {
    let core: Core | null = null
    try {
      return await runIn(
        {
          terminal: this.#terminal,
          demonstration: this.#deps.demonstration,
          open: async (organization) => {
            // An empty list would claim that there is nothing.
            const holdsNothing = !existsSync(join(this.#deps.home, 'store.sqlite'))
            if (holdsNothing) throw new Failed(folderFailure('unread', null, this.#deps.home))
            core = await this.#openWhole(folder, organization)
            return core.forCommand({
              organization,
              actor: { who: operatingSystemUser(), sending: () => undefined },
            })
          },
        },
        this.#words,
      )
    } finally {
      await (core as Core | null)?.close()
    }
  }

  /** Missing data would be reported as not existing. */
  async #openWhole(folder: DataFolder, organization: string | null): Promise<Core> {
    const missing: string[] = []
    const opening = this.#open(folder, organization, (why) => void missing.push(why))
    const [core] = await Promise.allSettled([opening])
    const [detail] = missing
    if (detail === undefined) return opening
    if (core.status === 'fulfilled') await core.value.close()
    throw new Failed(folderFailure('not-whole', null, detail))
  }

  async #beside(place: OwnerPlace): Promise<Ending | NoneYet> {
    const { waits, key } = this.#deps
    let owner: Owner
    try {
      owner = await connectToOwner(place, waits)
    } catch (error) {
      if (!(error instanceof NoOwner)) throw error
      if (error.reason === 'none') return { kind: 'none', reason: 'silent' }
      if (error.reason === 'refused') return { kind: 'none', reason: 'refused' }
      const versions = error.theirs === null ? null : `${error.theirs}, this one is ${contractVersion}`
      return { kind: 'ended', code: this.#failed(folderFailure(error.reason, ownerNamed(place), versions)) }
    }
    if (key !== null)
      this.#terminal.say(
        `HEADROOM_KEY is not used: the data folder belongs to ${owner.name}, which works with its own keys.`,
      )
    return runInOwner({
      owner,
      words: this.#words,
      streams: standardStreams(),
      name: `${operatingSystemUser()}, ${processName}`,
      keyBeside: key !== null,
      redact: this.#redact,
      onInterrupt: this.#terminal.onInterrupt,
    })
  }

  /** null: nothing was sent, so it is tried again. */
  #lost(ending: Extract<Ending, { kind: 'lost' }>, again: boolean): number | null {
    const { how, hasSent, hasPrinted, resumeWith } = ending
    if (how === 'gone' && !again && !hasSent && !hasPrinted && resumeWith === null) return null
    this.#say(folderFailure(how === 'gone' ? 'lost' : 'silent', ending.holder))
    if (hasSent)
      this.#terminal.say(
        'The last action may have happened without an answer: check headroom journal before you try again.',
      )
    if (resumeWith !== null) this.#sayPaused(resumeWith)
    return hasSent || resumeWith !== null ? 4 : 3
  }

  /** The work it began under an earlier owner is stored there. */
  #failed(failure: Failure): number {
    this.#say(failure)
    const hasBegun = this.#words.join('\0') !== this.#argv.join('\0')
    if (hasBegun) this.#sayPaused(this.#words)
    return hasBegun ? 4 : 3
  }

  #say(failure: Failure): void {
    this.#terminal.say(saidOf(failure, this.#argv))
  }

  #sayPaused(resumeWith: readonly string[]): void {
    this.#terminal.say(
      `The rest is paused. Resume it with headroom ${resumeWith.slice(0, 3).join(' ')} --unlock`,
    )
  }
}

/** No process listens, or not yet. */
interface NoneYet {
  readonly kind: 'none'
  readonly reason: FailureOf<'data-folder'>['reason']
}

const processName = `headroom on the command line, process ${process.pid}`

async function clientsGone(server: OwnerServer | null, withinMs: number): Promise<null> {
  const until = performance.now() + withinMs
  while (server !== null && server.clients() > 0 && performance.now() < until) await wait(lookAgainInMs)
  return null
}
