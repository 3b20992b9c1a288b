import packageJson from '../../package.json' with { type: 'json' }
import { folderFailure } from '../adapters/owner/data-folder.ts'
import type { AppProblem } from '../contract/api/app.ts'
import { Failed, isKind, type Failure } from '../contract/failure.ts'
import { policyOf } from '../contract/failure-policy.ts'
import {
  flag,
  OutputLost,
  show,
  text,
  type Command,
  type ExitCode,
  type LoneCommand,
  type LoneDeps,
  type Terminal,
} from './command.ts'
import { approvalCommands } from './commands/approvals.ts'
import { definitionCommands } from './commands/definitions.ts'
import { differenceCommands } from './commands/differences.ts'
import { downloadCommands } from './commands/downloads.ts'
import { firmwareCommands } from './commands/firmware.ts'
import { firmwareUpdateCommands } from './commands/firmware-updates.ts'
import { notesCommands } from './commands/notes.ts'
import { goldenProfileCommands } from './commands/golden-profiles.ts'
import { inventoryCommands } from './commands/inventory.ts'
import { jobCommands } from './commands/jobs.ts'
import { journalCommands } from './commands/journal.ts'
import { metadataCommands } from './commands/metadata.ts'
import { kitCommands, verifyKitCommand } from './commands/kits.ts'
import { offlineCommands } from './commands/offline.ts'
import { operationCommands } from './commands/operations.ts'
import { overviewCommands } from './commands/overview.ts'
import { keyCommands } from './commands/keys.ts'
import { organizationCommands } from './commands/organization.ts'
import { comparisonCommands } from './commands/comparison.ts'
import { policyCommand } from './commands/policy.ts'
import { resetCommand } from './commands/reset.ts'
import { roomCommands } from './commands/rooms.ts'
import { selfCommands } from './commands/self.ts'
import { serviceCommands } from './commands/service.ts'
import { settingsCommands } from './commands/settings.ts'
import { supportCommands } from './commands/support.ts'
import { tagCommands } from './commands/tags.ts'
import { checkWebhookCommand, webhookCommands } from './commands/webhooks.ts'
import { completionOf, shells } from './completion.ts'
import { EndedEarly, RunAgain, type CoreClient } from './core-client.ts'
import {
  commandsOf,
  parse,
  usage,
  UsageError,
  usageOf,
  usageOfGroup,
  withLongOutput,
  type CommandShape,
  type HelpGroup,
  type ParsedCommand,
} from './grammar.ts'
import { manPage } from './man-page.ts'
import type { DemonstrationProcess } from './demonstration.ts'
import { laidOut } from './table.ts'
import { sentence, swapSentence } from './texts.ts'
import { sayProgress } from './task-text.ts'

const demo: CommandShape = {
  name: 'demo',
  operands: ['[OPTIONS…]'],
  summary:
    'serves the demonstration organization until you end it (--devices N --limits … --latency MS --fault NAME --json)',
}
/** Every command except `demo`, which is a separate program. */
export const commands: readonly Command[] = [
  ...organizationCommands,
  ...keyCommands,
  ...overviewCommands,
  ...inventoryCommands,
  ...tagCommands,
  ...roomCommands,
  ...comparisonCommands,
  ...jobCommands,
  ...journalCommands,
  ...firmwareCommands,
  ...firmwareUpdateCommands,
  ...notesCommands,
  ...downloadCommands,
  ...kitCommands,
  ...offlineCommands,
  ...approvalCommands,
  ...metadataCommands,
  ...definitionCommands,
  ...differenceCommands,
  ...operationCommands,
  ...serviceCommands,
  ...selfCommands,
  ...supportCommands,
  ...settingsCommands,
  ...goldenProfileCommands,
  ...webhookCommands,
]
const completionCommand: LoneCommand = {
  name: 'completion',
  operands: [shells.join('|')],
  summary: 'prints the script that makes a shell complete commands and options',
  runAlone: async (given, terminal) => {
    const shell = shells.find((one) => one === given.operands[0])
    if (shell === undefined) throw new UsageError(`completion needs one of ${shells.join(', ')}.`)
    const lines = completionOf(shell, documented)
    return show(given, terminal, { shell, script: lines.join('\n') }, () => lines)
  },
}
export const loneCommands: readonly LoneCommand[] = [
  verifyKitCommand,
  checkWebhookCommand,
  policyCommand,
  resetCommand,
  completionCommand,
]
const all: readonly CommandShape[] = [...commands, ...loneCommands]
/** Every command that people can type. */
const documented: readonly CommandShape[] = [...all, demo]
/** Every first word is in one of them. */
export const helpGroups: readonly HelpGroup[] = [
  {
    title: 'Find',
    words: [
      'overview',
      'devices',
      'device',
      'rooms',
      'room',
      'changes',
      'products',
      'product',
      'tags',
      'views',
    ],
  },
  { title: 'Firmware', words: ['firmware', 'releases', 'notes', 'recovery', 'kit', 'offline'] },
  { title: 'Act', words: ['reboot', 'settings', 'jobs', 'journal'] },
  {
    title: 'Set up',
    words: ['org', 'key', 'sync', 'policy', 'demo', 'completion', 'self', 'support', 'reset'],
  },
  {
    title: 'Services',
    words: [
      'definitions',
      'telemetry',
      'webhook',
      'operations',
      'call',
      'versions',
      'budget',
      'connections',
      'cache',
    ],
  },
]
const examples = [
  'org add Try --preset demonstration',
  'devices --where "status:offline fw:behind"',
  'reboot "Aarhus 3" --dry-run',
]

/** The environment of a command. */
export interface Surroundings {
  readonly terminal: Terminal
  readonly demonstration: Pick<DemonstrationProcess, 'serve'>
  /** For commands that open no data folder; missing: none of them is run. */
  readonly alone?: LoneDeps
  /**
   * `organization`: name or id of the organization to use instead of the current one; null: none was named.
   */
  readonly open: (organization: string | null) => Promise<CoreClient>
}

/** Rejects with RunAgain or EndedEarly if the owner of the data folder is lost. */
export async function runIn(
  { terminal: whole, demonstration, open, alone }: Surroundings,
  typed: readonly string[],
): Promise<number> {
  const argv = withLongOutput(typed)
  const terminal = argv.includes('--wide') ? uncut(whole) : whole
  let opened: CoreClient | null = null
  let stopSaying = (): void => undefined
  try {
    if (argv[0] === 'demo') {
      if (argv.includes('--help')) {
        terminal.print(helpFor(['demo']))
        return 0
      }
      if (alone !== undefined) await mustAllowDemonstration(alone)
      return await demonstration.serve(argv.slice(1))
    }
    const [first = 'help', ...words] = argv
    if (['help', '--help', '-h'].includes(first)) {
      terminal.print(helpFor(words))
      return argv.length === 0 ? 2 : 0
    }
    // A word that only begins commands.
    if (!all.some(({ name }) => name === first) && commandsOf(all, first).length > 0) {
      const lines = usageOfGroup(all, first)
      if (words.includes('--help') && words.length === 1) {
        terminal.print(lines)
        return 0
      }
      if (words.length === 0) {
        terminal.say(lines)
        return 2
      }
    }
    const given = parse(all, argv)
    if (flag(given, 'help')) {
      terminal.print(usageOf(given.shape))
      return 0
    }
    if (isLone(given.shape)) {
      if (alone === undefined) throw new Error('this command runs only in its own process')
      return await given.shape.runAlone(given, terminal, alone)
    }
    const command = given.shape as Command
    const organization = text(given, 'organization')
    opened = await open(organization)
    // Before anything is changed, also by a command that works for none.
    if (organization !== null) await opened.handlers.organizations.current()
    const { keyBeside, stays } = opened.owner()
    if (keyBeside && needsKey(command, given)) throw new Failed(folderFailure('key-beside'))
    if (flag(given, 'detach') && !stays) throw new Failed(folderFailure('nobody-stays'))
    // With --json standard error contains the document of the failure.
    stopSaying = sayProgress(opened.handlers, flag(given, 'json') ? 'waits' : 'everything', terminal)
    const code: ExitCode = await command.run(opened, given, terminal)
    // A command that failed because of the data folder has already said so.
    return (await printProblems(opened, terminal, code === 0)) && code === 0 ? 4 : code
  } catch (error) {
    if (error instanceof RunAgain || error instanceof EndedEarly) throw error
    if (error instanceof OutputLost) return error.code
    if (error instanceof UsageError) {
      terminal.say(opened === null ? error.message : await withoutStoredKeys(opened, argv, error.message))
      terminal.say('headroom help lists the commands.')
      return 2
    }
    const failure: Failure =
      error instanceof Failed
        ? error.failure
        : { kind: 'bug', reference: `${(error as Error).name}: ${(error as Error).message}` }
    const said = saidOf(failure, argv)
    terminal.say(opened === null ? said : await withoutStoredKeys(opened, argv, said))
    // If files cannot be used, an apparent usage error (`There is no organization`) may have that cause.
    const isStorageProblem =
      opened !== null &&
      !isKind(failure, 'cache-unusable') &&
      (await printProblems(opened, terminal, !isKind(failure, 'data-folder')))
    return isStorageProblem ? 3 : policyOf(failure).exitCode
  } finally {
    stopSaying()
  }
}

/** Rejects with Failed `policy`. */
async function mustAllowDemonstration({ policySource }: LoneDeps): Promise<void> {
  const { readPolicy } = await import('./own-core.ts')
  const { mustAllow } = await readPolicy(policySource)
  mustAllow('locked')
  mustAllow('demonstration')
}

const uncut = (terminal: Terminal): Terminal => ({
  ...terminal,
  print: (lines) =>
    terminal.print(typeof lines === 'string' ? lines : lines.map((line) => laidOut(line, null))),
})

/** Help in general, for a command, or for those that begin with a word. Throws UsageError for another word. */
function helpFor(words: readonly string[]): string[] {
  const name = words.filter((word) => !word.startsWith('-')).join(' ')
  // For the packed program's share/man.
  if (words.includes('--man')) return manPage(documented, helpGroups, packageJson.version)
  if (name === '') return usage(documented, helpGroups, examples)
  const shape = documented.find((one) => one.name === name)
  const beginning = commandsOf(documented, name)
  if (shape === undefined && beginning.length === 0) {
    const { shape: nearest } = parse(documented, words)
    return usageOf(nearest)
  }
  return [
    ...(shape === undefined ? [] : usageOf(shape)),
    ...(beginning.length > 1
      ? [...(shape === undefined ? [] : ['']), ...usageOfGroup(documented, name)]
      : []),
  ]
}

const needsKey = ({ needsKey: isNeeded }: Command, given: ParsedCommand): boolean =>
  typeof isNeeded === 'function' ? isNeeded(given) : isNeeded === true

export const saidOf = (failure: Failure, argv: readonly string[]): string =>
  argv.includes('--json') ? JSON.stringify(failure) : sentence(failure, argv)

/**
 * A text that repeats the arguments waits for the keychain, because an argument may be a key that is stored
 * there.
 */
async function withoutStoredKeys(
  { handlers }: CoreClient,
  argv: readonly string[],
  said: string,
): Promise<string> {
  return argv.some((word) => word.length >= 8 && said.includes(word))
    ? handlers.organizations.withoutKeys({ text: said })
    : said
}

const isLone = (shape: CommandShape): shape is LoneCommand => 'runAlone' in shape

/** Whether the command uses the data folder: help, usage errors and the demonstration do not. */
export function opensDataFolder(argv: readonly string[]): boolean {
  try {
    if (argv[0] === 'demo' || argv.length === 0) return false
    const given = parse(all, argv)
    return !isLone(given.shape) && !flag(given, 'help')
  } catch {
    return false
  }
}

/**
 * Writes problems with the files and what was done differently to standard error; true if a result of this
 * command was not stored.
 */
async function printProblems(
  { handlers }: CoreClient,
  terminal: Terminal,
  saysFolder: boolean,
): Promise<boolean> {
  const problems = await handlers.app.problems()
  for (const problem of problems) {
    const said = problemText(problem)
    if (said !== null && (saysFolder || !isKind(problem.failure, 'data-folder'))) terminal.say(said)
  }
  return problems.some(
    ({ failure }) =>
      isKind(failure, 'cache-unusable') && failure.reason !== 'damaged' && failure.reason !== 'empty',
  )
}

/** null: not about this command. */
function problemText(problem: AppProblem): string | null {
  const { failure, done } = problem
  if (isKind(failure, 'data-folder')) return sentence(failure)
  if (isKind(failure, 'cache-unusable'))
    return done === null ? sentence(failure) : `${sentence(failure)} ${done}`
  return swapSentence(problem)
}
