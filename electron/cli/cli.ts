import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { takeKey } from '../adapters/environment-key.ts'
import { Failed, type Failure } from '../contract/failure.ts'
import { createCore, type Core } from '../core/app.ts'
import type { DatabaseFile } from '../core/platform.ts'
import { sayWaits } from './budget-words.ts'
import { flag, text, type Command, type ExitCode, type Terminal } from './command.ts'
import { definitionCommands } from './commands/definitions.ts'
import { firmwareCommands } from './commands/firmware.ts'
import { goldenProfileCommands } from './commands/golden-profiles.ts'
import { inventoryCommands } from './commands/inventory.ts'
import { jobCommands } from './commands/jobs.ts'
import { journalCommands } from './commands/journal.ts'
import { operationCommands } from './commands/operations.ts'
import { keyCommands } from './commands/keys.ts'
import { organizationCommands } from './commands/organization.ts'
import { roomCommands } from './commands/rooms.ts'
import { serviceCommands } from './commands/service.ts'
import { settingsCommands } from './commands/settings.ts'
import { webhookCommands } from './commands/webhooks.ts'
import { parse, usage, UsageError, usageOf, type CommandShape } from './grammar.ts'
import { demonstrationProcess, type DemonstrationProcess } from './demonstration.ts'
import { commandLinePlatform } from './platform.ts'
import { sentence, swapSentence } from './sentences.ts'
import { standardTerminal } from './terminal.ts'
import { unspoken } from './unspoken.ts'

const demo: CommandShape = {
  name: 'demo',
  operands: ['[OPTIONS…]'],
  options: {},
  summary:
    'serves the demonstration organization until ended (--devices N --limits … --latency MS --fault NAME --json)',
}
/** Every command but `demo`, which is a program of its own. */
export const commands: readonly Command[] = [
  ...organizationCommands,
  ...keyCommands,
  ...inventoryCommands,
  ...roomCommands,
  ...jobCommands,
  ...journalCommands,
  ...firmwareCommands,
  ...definitionCommands,
  ...operationCommands,
  ...serviceCommands,
  ...settingsCommands,
  ...goldenProfileCommands,
  ...webhookCommands,
]

/** What a command runs in. */
interface Surroundings {
  readonly terminal: Terminal
  readonly demonstration: Pick<DemonstrationProcess, 'serve'>
  /** `organization`: the one to use instead of the current one, by name or id; null: none was named. */
  readonly open: (organization: string | null) => Promise<Core>
}

/** A file that is locked again and again is told of once. */
function sayOnce(terminal: Terminal): (file: DatabaseFile) => void {
  const said = new Set<DatabaseFile>()
  return (file) => {
    if (!said.has(file))
      terminal.say(`Waiting for ${file}.sqlite, 10 s at most: another program has it locked.`)
    said.add(file)
  }
}

/** Runs one command; answers the exit code: 0 done, 2 wrong usage, 3 failed, 4 partly done. */
export function runCommandLine(
  argv: readonly string[],
  demonstration: DemonstrationProcess,
  keyFromEnvironment: string | null,
): Promise<number> {
  const quiet = unspoken(argv, keyFromEnvironment)
  const spoken = standardTerminal()
  const terminal: Terminal = {
    ...spoken,
    say: (lines) => spoken.say(typeof lines === 'string' ? quiet(lines) : lines.map(quiet)),
  }
  const open: Surroundings['open'] = (organization) => {
    const platform = commandLinePlatform(
      packageJson.version,
      demonstration.start,
      keyFromEnvironment,
      sayOnce(terminal),
    )
    for (const failure of platform.unsafeSetup) terminal.say(sentence(failure))
    return createCore(platform, { organization })
  }
  return runIn({ terminal, demonstration, open }, argv)
}

export async function runIn(
  { terminal, demonstration, open }: Surroundings,
  argv: readonly string[],
): Promise<number> {
  let opened: Core | null = null
  let stopSaying = (): void => undefined
  const json = argv.includes('--json')
  try {
    if (argv[0] === 'demo') return await demonstration.serve(argv.slice(1))
    if (argv.length === 0 || ['help', '--help', '-h'].includes(argv[0] ?? '')) {
      terminal.print(usage([...commands, demo]))
      return argv.length === 0 ? 2 : 0
    }
    const given = parse(commands, argv)
    if (flag(given, 'help')) {
      terminal.print(usageOf(given.shape))
      return 0
    }
    opened = await open(text(given, 'organization'))
    stopSaying = sayWaits(opened, terminal)
    const code: ExitCode = await (given.shape as Command).run(opened, given, terminal)
    return sayTroubles(opened, terminal) && code === 0 ? 4 : code
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.say(opened === null ? error.message : await withoutStoredKeys(opened, argv, error.message))
      terminal.say('headroom help lists the commands.')
      return 2
    }
    const failure: Failure =
      error instanceof Failed
        ? error.failure
        : {
            kind: 'bug',
            reference:
              opened?.noteBug(error, `command line: ${argv[0] ?? ''}`) ??
              `${(error as Error).name}: ${(error as Error).message}`,
          }
    const said = json ? JSON.stringify(failure) : sentence(failure)
    terminal.say(opened === null ? said : await withoutStoredKeys(opened, argv, said))
    // Where files cannot be used, what seems to be wrong usage (`There is no organization`) may have its cause there.
    const isUnkept = opened !== null && failure.kind !== 'cache-unusable' && sayTroubles(opened, terminal)
    return failure.kind === 'invalid' && !isUnkept ? 2 : 3
  } finally {
    stopSaying()
    await opened?.close()
  }
}

/** A sentence that repeats what was typed waits for the keychain: it may be a key that is stored there. */
async function withoutStoredKeys(
  { shared: { organizations } }: Core,
  argv: readonly string[],
  said: string,
): Promise<string> {
  if (argv.some((word) => word.length >= 8 && said.includes(word))) await organizations.keyScrubber()
  return organizations.scrubber.text(said)
}

/** What is wrong with the files or was done in another way, on standard error; true when something this command did is not kept. */
function sayTroubles({ shared }: Core, terminal: Terminal): boolean {
  for (const said of shared.organizations.troubles().map(swapSentence)) if (said !== null) terminal.say(said)
  const troubles = shared.fileTroubles()
  for (const { failure, done } of troubles)
    terminal.say(done === null ? sentence(failure) : `${sentence(failure)} ${done}`)
  return troubles.some(
    ({ failure }) =>
      failure.kind === 'cache-unusable' && failure.reason !== 'damaged' && failure.reason !== 'empty',
  )
}

/** Options for the demonstration that a command starts for itself, such as `--devices 10000`. */
const demonstrationOptions = (): string[] =>
  (process.env['HEADROOM_DEMONSTRATION'] ?? '').split(' ').filter((word) => word !== '')

const ranDirectly = process.argv[1] !== undefined && realpathSync(process.argv[1]) === import.meta.filename
if (ranDirectly) {
  const key = takeKey(process.env)
  const demonstration = demonstrationProcess(join(import.meta.dirname, 'demo.js'), demonstrationOptions())
  process.exitCode = await runCommandLine(process.argv.slice(2), demonstration, key)
}
