import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '../adapters/clock.ts'
import { openContractClient, OwnerLost } from '../adapters/owner/contract-client.ts'
import { folderFailure, takeDataFolder, type Taking } from '../adapters/owner/data-folder.ts'
import type { FileSystemFacts } from '../adapters/owner/file-system.ts'
import type { OwnerWaits } from '../adapters/owner/limits.ts'
import { connectToOwner, NoOwner, ownerNamed, type Owner } from '../adapters/owner/owner-client.ts'
import { ownerPlace, type OwnerPlace } from '../adapters/owner/place.ts'
import { contractVersion } from '../adapters/owner/wire.ts'
import { systemPolicy } from '../adapters/policy/system-policy.ts'
import { openSchemaChecks } from '../adapters/schema-checks.ts'
import { Failed, type FailureOf } from '../contract/failure.ts'
import { percentOf, type Progress } from '../contract/progress.ts'
import type { PolicySource } from '../core/platform.ts'
import type { Terminal } from './command.ts'
import { CommandClient, EndedEarly, RunAgain, type Link } from './core-client.ts'
import type { DemonstrationProcess } from './demonstration.ts'
import { withLongOutput } from './grammar.ts'
import { opensDataFolder, runIn, saidOf } from './run-command.ts'
import { standardTerminal, withInputKept } from './terminal.ts'
import { redactionOf } from './redaction.ts'

export interface ProgramDeps {
  /** The data folder. */
  readonly home: string
  /** HEADROOM_KEY; null: none. */
  readonly key: string | null
  readonly waits: OwnerWaits
  /** Missing: the system's. */
  readonly policySource?: PolicySource
  /** What the system reports about the file system under the data folder; missing: it is queried. */
  readonly fileSystem?: ((folder: string) => FileSystemFacts) | undefined
  readonly demonstration: DemonstrationProcess
  /** Options of HEADROOM_DEMONSTRATION are given. */
  readonly hasDemonstrationOptions?: boolean
  /** The file of the database's thread. */
  readonly workerUrl: URL
}

/** Loaded where it is needed: without it a command beside the window starts a third sooner (measured). */
const ownCore = () => import('./own-core.ts')
/** Interval for contacting an owner that has just started or ended. Lower it if a hand-over feels slow. */
const lookAgainInMs = 50
const processName = `headroom on the command line, process ${process.pid}`

/**
 * Runs one command, with a core of its own or as a client of the process that owns the data folder; returns the
 * exit code: 0 done, 2 wrong usage, 3 failed, 4 partly done.
 */
export async function runCommandLine(typed: readonly string[], deps: ProgramDeps): Promise<number> {
  const terminal = standardTerminal()
  const code = await runOn(terminal, typed, deps)
  return code === 0 ? (terminal.outputLost()?.code ?? 0) : code
}

function runOn(standard: Terminal, typed: readonly string[], deps: ProgramDeps): Promise<number> {
  const argv = withLongOutput(typed)
  const redact = redactionOf(argv, deps.key)
  const terminal: Terminal = {
    ...standard,
    say: (lines) =>
      standard.say(
        typeof lines === 'string'
          ? redact(lines)
          : lines.map((line) =>
              typeof line === 'string' ? redact(line) : { ...line, cells: line.cells.map(redact) },
            ),
      ),
  }
  if (opensDataFolder(argv)) return new Program(argv, deps, terminal).run()
  const open = (): never => {
    throw new Error('this command opens no data folder')
  }
  const { policySource = systemPolicy() } = deps
  const alone = {
    clock: systemClock,
    schemas: openSchemaChecks(deps.workerUrl),
    policySource,
    home: deps.home,
    reset: async () => (await ownCore()).resetEverything(deps.home, deps.waits),
  }
  return runIn({ terminal, demonstration: deps.demonstration, open, alone }, argv)
}

interface ClientGiven {
  /** As typed; null: none. */
  readonly organization: string | null
  readonly onEvent: (event: string, payload: unknown) => void
}

class Program {
  readonly #argv: readonly string[]
  readonly #deps: ProgramDeps
  readonly #terminal: Terminal
  /** false: the folder was handed over to another process, which gets time to take it. */
  #mayOwn = true
  #hasPrinted = false
  #hasRunAgain = false

  constructor(argv: readonly string[], deps: ProgramDeps, terminal: Terminal) {
    this.#argv = argv
    this.#deps = deps
    this.#terminal = {
      ...withInputKept(terminal),
      print: (text) => {
        this.#hasPrinted = true
        terminal.print(text)
      },
      write: (data) => {
        this.#hasPrinted = true
        return terminal.write(data)
      },
    }
  }

  async run(): Promise<number> {
    for (;;) {
      try {
        return await this.#runOnce()
      } catch (error) {
        if (!(error instanceof RunAgain)) throw error
        this.#hasRunAgain ||= error.loss.how !== 'handed-over'
      }
    }
  }

  async #runOnce(): Promise<number> {
    const ended = Promise.withResolvers<void>()
    let client: CommandClient | null = null
    try {
      return await runIn(
        {
          terminal: this.#terminal,
          demonstration: this.#deps.demonstration,
          open: async (organization) => {
            const opened = new CommandClient({
              hasKey: this.#deps.key !== null,
              mayRunAgain: ({ how }) => !this.#hasPrinted && (how === 'handed-over' || !this.#hasRunAgain),
              open: (onEvent) =>
                this.#link({ organization, onEvent }, () =>
                  this.#hasPrinted && client?.hasBegun !== true ? ended.promise : null,
                ),
            })
            client = opened
            const { progress } = this.#terminal
            opened.onEvent((event, payload) => {
              if (event === 'app.rebuilding')
                progress(`Preparing the data for this version: ${percentOf(payload as Progress) ?? 0}%`)
            })
            await opened.linked().finally(() => progress(null))
            return opened
          },
        },
        this.#argv,
      )
    } catch (error) {
      if (!(error instanceof EndedEarly)) throw error
      for (const said of error.said)
        this.#terminal.say(typeof said === 'string' ? said : saidOf(said, this.#argv))
      return error.code
    } finally {
      ended.resolve()
      await (client as CommandClient | null)?.close()
    }
  }

  /** Rejects with Failed `data-folder` or `cache-unusable`. */
  async #link(given: ClientGiven, printing: () => Promise<unknown> | null): Promise<Link> {
    const { home, waits, fileSystem, key, workerUrl, demonstration, policySource } = this.#deps
    const own = {
      ...given,
      deps: { home, workerUrl, demonstration: demonstration.start, keyFromEnvironment: key, policySource },
      say: this.#terminal.say,
    }
    const since = performance.now()
    for (;;) {
      const taking: Taking = this.#mayOwn
        ? await takeDataFolder(home, waits, fileSystem)
        : { kind: 'taken' as const, place: ownerPlace(home) }
      if (taking.kind === 'read-only') return (await ownCore()).openReadOnlyCore(taking.folder, own)
      if (taking.kind === 'owned') {
        this.#mayOwn = false
        return (await ownCore()).openOwnCore(taking, own, { waits, name: processName, printing })
      }
      const link = await this.#beside(taking.place, given)
      if (typeof link !== 'string') {
        this.#mayOwn = true
        return link
      }
      const isOver = performance.now() - since > waits.connectInMs
      if (isOver && this.#mayOwn) throw new Failed(folderFailure(link, ownerNamed(taking.place)))
      this.#mayOwn ||= isOver
      await wait(lookAgainInMs)
    }
  }

  /** A reason: no process answers there, or not yet. Rejects with Failed `data-folder`. */
  async #beside(
    place: OwnerPlace,
    { organization, onEvent }: ClientGiven,
  ): Promise<Link | FailureOf<'data-folder'>['reason']> {
    const { waits, key, hasDemonstrationOptions = false } = this.#deps
    let owner: Owner
    try {
      owner = await connectToOwner(place, waits)
      const { stays, call, close } = await openContractClient(
        owner,
        { organization, name: processName },
        onEvent,
      )
      if (key !== null)
        this.#terminal.say(
          `HEADROOM_KEY is not used: the data folder belongs to ${owner.name}, which works with its own keys.`,
        )
      if (hasDemonstrationOptions)
        this.#terminal.say(
          `HEADROOM_DEMONSTRATION is not used: the data folder belongs to ${owner.name}, which has its own demonstration.`,
        )
      return { isOther: true, stays, call, close: async () => close() }
    } catch (error) {
      if (error instanceof OwnerLost) return 'silent'
      if (!(error instanceof NoOwner)) throw error
      if (error.reason === 'none') return 'silent'
      if (error.reason === 'refused') return 'refused'
      const versions = error.theirs === null ? null : `${error.theirs}, this one is ${contractVersion}`
      throw new Failed(folderFailure(error.reason, ownerNamed(place), versions))
    }
  }
}
