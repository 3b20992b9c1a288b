import type { ExplorerResponse, ExplorerOperation } from '../../contract/api/explorer.ts'
import { operations } from '../../contract/operations.ts'
import type { CoreClient } from '../core-client.ts'
import { supportText } from '../../contract/metadata-support.ts'
import { flag, show, text, type Command, type ExitCode, type Terminal } from '../command.ts'
import { UsageError, type ParsedCommand } from '../grammar.ts'
import { sentence } from '../texts.ts'
import { moment, table } from '../table.ts'

export const operationCommands: readonly Command[] = [
  {
    name: 'operations',
    summary:
      'lists the documented operations of both interfaces, others of the stored description (headroom versions), and their parameters',
    run: async (core, given, terminal) => {
      const all = await operationsOf(core, text(given, 'organization'))
      const rows = all.map(({ name, interface: of, method, path, parameters, writes, published }) => ({
        name,
        interface: of,
        method,
        path,
        parameters: parameters.map((one) => ({ name: one.name, type: one.type, required: one.required })),
        writes,
        published,
      }))
      return show(given, terminal, rows, () =>
        table(
          ['Operation', 'Interface', '', 'Method', 'Parameters', 'Path'],
          rows.map((one) => [
            one.name,
            one.interface,
            [one.writes ? 'writes' : '', one.published ? '' : 'not published'].filter(Boolean).join(', '),
            one.method,
            one.parameters.map(({ name, required }) => (required ? name : `[${name}]`)).join(' '),
            one.path,
          ]),
        ),
      )
    },
  },
  {
    name: 'call',
    operands: ['OPERATION', '[NAME=VALUE…]'],
    options: {
      cached: {
        type: 'boolean',
        help: 'for a read of the metadata interface: print the stored copy, without a call',
      },
      strict: {
        type: 'boolean',
        help: 'report members that are not in the specification, or missing, on standard error, and end with 4',
      },
      yes: { type: 'boolean', help: 'for an operation that changes a device: confirm it' },
      unlock: { type: 'boolean', help: 'for an operation that changes a device: unlock actions for it' },
      'no-wait': {
        type: 'boolean',
        help: 'for an operation that changes a device: do not wait for the minute between actions on a device',
      },
    },
    summary: 'calls one operation and prints the body as received',
    needsKey: ({ operands: [name = ''] }) =>
      operations.some(
        (one) => one.interface === 'management' && one.name.toLowerCase() === name.toLowerCase(),
      ),
    run: async (core, given, terminal) => {
      const [name = '', ...typed] = given.operands
      const parameters = parametersTyped(typed)
      const operation = (await operationsOf(core, text(given, 'organization'))).find(
        (one) => one.name.toLowerCase() === name.toLowerCase(),
      )
      if (operation === undefined)
        throw new UsageError(`There is no operation "${name}". headroom operations lists them.`)
      if (flag(given, 'cached') && operation.interface !== 'metadata')
        throw new UsageError(`${operation.name}: copies are stored only for the metadata interface.`)
      if (operation.writes && !flag(given, 'yes')) {
        const { name: organization } = await core.handlers.organizations.current()
        throw new UsageError(
          `${operation.name} changes a device (${organization}): add --yes --unlock to call it.`,
        )
      }
      const answer = await core.handlers.explorer.run({
        operation: operation.name,
        parameters,
        unlock: flag(given, 'unlock'),
        whole: true,
        wait: !flag(given, 'no-wait'),
        copies: flag(given, 'cached') ? 'only' : 'revalidate',
        reference: null,
      })
      sayCopy(answer, terminal)
      return await printResult(answer, given, terminal)
    },
  },
  {
    name: 'cache size',
    summary: 'shows how many metadata documents are stored for offline use',
    run: async (core, given, terminal) => {
      const size = await core.handlers.metadata.cacheSize()
      return show(given, terminal, size, () => sizeText(size))
    },
  },
  {
    name: 'cache clear',
    summary: 'clears all stored metadata documents and pictures; they are read again when needed',
    run: async (core, given, terminal) => {
      const size = await core.handlers.metadata.clearCache()
      return show(
        given,
        terminal,
        size,
        () => 'The metadata documents and pictures were cleared. They are read again when needed.',
      )
    },
  },
  {
    name: 'versions',
    options: { refresh: { type: 'boolean', help: 'ask the service again' } },
    summary:
      'shows the metadata version in use, whether a newer one is available and differs, and deprecated operations',
    run: async (core, given, terminal) => {
      const watch = await core.handlers.metadata.versions({ refresh: flag(given, 'refresh') })
      return show(given, terminal, watch, () => [
        `Version ${watch.inUse} is in use${watch.openapiKeptAt === null ? '; its description is not published' : `; its description is kept since ${moment(watch.openapiKeptAt) ?? ''}`}.`,
        watch.newer === null
          ? 'No newer version is available.'
          : `Version ${watch.newer} answers. ${supportText(watch.inUse, watch, Date.now())}`,
        ...watch.otherVersions.map(
          ({ version, says }) => `The description of version ${version} says that it is version ${says}.`,
        ),
        ...watch.differences.map(({ operation, what }) => `${operation}: ${what}`),
        ...watch.deprecated.map(
          ({ version, operation }) => `${operation}: is deprecated in version ${version}`,
        ),
        ...watch.added.map(
          ({ operation, path }) =>
            `${operation ?? path}: is new${operation === null ? '' : `, its path is ${path}`}`,
        ),
      ])
    },
  },
]

/** Without an organization the documented ones are listed; an unknown named organization is an error. */
async function operationsOf(core: CoreClient, named: string | null): Promise<readonly ExplorerOperation[]> {
  if (named !== null) await core.handlers.organizations.current()
  return core.handlers.explorer.knownOperations()
}

function parametersTyped(words: readonly string[]): Readonly<Record<string, string>> {
  const typed = new Map<string, string>()
  for (const word of words) {
    const at = word.indexOf('=')
    if (at < 1) throw new UsageError(`"${word}" is not of the form name=value.`)
    const name = word.slice(0, at)
    if (typed.has(name)) throw new UsageError(`call: ${name} can be given only once.`)
    typed.set(name, word.slice(at + 1))
  }
  return Object.fromEntries(typed)
}

const because = {
  unchanged: 'The service has nothing newer',
  'not-reached': 'The service cannot be reached',
  'not-asked': 'The service was not asked',
}

/** Says on standard error that the body is a copy, and its age. */
function sayCopy({ copy = null, startedAt }: ExplorerResponse, terminal: Terminal): void {
  if (copy !== null)
    terminal.say(
      `${because[copy.because]}: this is the copy of ${moment(copy.observedAt) ?? ''}, ${age(startedAt - copy.observedAt)} old.`,
    )
}

function age(inMs: number): string {
  const seconds = Math.max(0, Math.round(inMs / 1_000))
  if (seconds < 120) return `${seconds} s`
  if (seconds < 2 * 3_600) return `${Math.round(seconds / 60)} min`
  return seconds < 2 * 86_400 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`
}

/**
 * Exit code: 0 done, 3 failed or unconfirmed, 4 not sent because a device was written to less than a minute ago,
 * or not as specified (`--strict`).
 */
async function printResult(
  answer: ExplorerResponse,
  given: ParsedCommand,
  terminal: Terminal,
): Promise<ExitCode> {
  const { body, report, failure = null, status } = answer
  if (body !== '') await terminal.write(body.endsWith('\n') ? body : `${body}\n`)
  // The response to a write has no body: the document states the outcome instead.
  else if (report !== null && flag(given, 'json'))
    terminal.print(
      JSON.stringify({
        outcome: report.outcome,
        status,
        failure: report.failure,
        earliestAt: report.earliestAt,
      }),
    )
  else if (report !== null)
    terminal.say(`${answer.operation}: ${report.outcome}${status === null ? '' : ` (${status})`}`)
  if (flag(given, 'strict')) sayFindings(answer, terminal)
  if (report?.outcome === 'waiting') {
    terminal.say(
      `Not sent: an action was sent to one of its devices less than a minute ago${report.earliestAt === null ? '' : `; it may start at ${new Date(report.earliestAt).toISOString()}`}.`,
    )
    return 4
  }
  if (failure === null)
    return flag(given, 'strict') && answer.unknownMembers.length + answer.missingMembers.length > 0 ? 4 : 0
  terminal.say(flag(given, 'json') ? JSON.stringify(failure) : sentence(failure))
  return 3
}

function sayFindings(
  { operation, status, unknownMembers, missingMembers }: ExplorerResponse,
  terminal: Terminal,
): void {
  for (const member of unknownMembers) terminal.say(`not in the specification: ${member}`)
  for (const member of missingMembers) terminal.say(`in the specification but missing: ${member}`)
  if (status === 200 && unknownMembers.length + missingMembers.length === 0)
    terminal.say(
      `Nothing to report: ${operation} answers as specified, or the specification does not show its record.`,
    )
}

const sizeText = ({ documents, bytes }: { readonly documents: number; readonly bytes: number }): string =>
  `${documents} document${documents === 1 ? '' : 's'}, ${(bytes / (1024 * 1024)).toFixed(1)} MiB`
