import { homedir } from 'node:os'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { contractVersion } from '../../adapters/owner/wire.ts'
import { flag, show, text, type Command, type Terminal } from '../command.ts'
import type { CoreClient } from '../core-client.ts'
import { sentence } from '../texts.ts'

/** Newest lines of the log that are shown. Raise it if what led to a problem is not among them. */
const linesAtMost = 200
/** What a line of the log says without names: what happened, where, and under which reference. */
const shownMembers = ['at', 'level', 'message', 'reason', 'reference', 'where', 'kind'] as const
const files = ['workbook.sqlite', 'store.sqlite', 'store.sqlite-wal']

export const supportCommands: readonly Command[] = [
  {
    name: 'support',
    options: {
      to: { type: 'string', help: 'writes a new file instead of standard output' },
      'with-people': {
        type: 'boolean',
        help: 'adds names of organizations and all details of the log, which may name devices and people',
      },
    },
    summary: 'shows what a maintainer needs to help: versions, policy, connections, sizes, log; no key',
    run: async ({ handlers }, given, terminal) => {
      const lines = await linesOf(handlers, flag(given, 'with-people'), terminal)
      const file = text(given, 'to')
      if (file === null) show(given, terminal, { lines }, () => lines)
      else {
        await terminal.writeNewFile(file, `${lines.join('\n')}\n`)
        show(given, terminal, { file }, () => `Written to ${file}.`)
      }
      return 0
    },
  },
]

async function linesOf(
  handlers: CoreClient['handlers'],
  withPeople: boolean,
  terminal: Terminal,
): Promise<string[]> {
  const { version, platform, architecture, home, logs, shell } = await handlers.app.about()
  const { organizations } = await handlers.organizations.list()
  const problems = await handlers.app.problems()
  const { policy } = await handlers.app.status()
  const reachable = await handlers.connections.reachable()
  const numbers = new Map(organizations.map(({ id }, index) => [id, `organization ${index + 1}`]))
  const log = await logLines(join(logs, 'headroom.log'), withPeople, terminal)
  const lines = [
    `Headroom ${version}, contract ${contractVersion}, Node ${process.versions.node}, ${platform} ${architecture}, window: ${shell}`,
    `Data folder: ${home}`,
    `Log: ${logs}`,
    `Policy: ${policy.state}, ${policy.problem ?? policy.file}`,
    ...policy.settings
      // Its organizations are among those below, by number.
      .filter(({ name }) => name !== 'organizations')
      .map(({ name, value }) => `  ${name}: ${JSON.stringify(value)}`),
    'Organizations:',
    ...organizations.map(
      ({ id, name, preset, managementVersion, metadataVersion }) =>
        `  ${numbers.get(id) ?? ''}${withPeople ? ` (${name})` : ''}: ${preset}, versions ${managementVersion} and ${metadataVersion}`,
    ),
    'Problems:',
    ...problems.map(({ failure }) => `  ${sentence(failure)}`),
    'Connections:',
    ...reachable.map(
      ({ host, port, why, organizationId }) =>
        `  ${host}${port === null ? '' : `:${port}`} ${why}${organizationId === null ? '' : `, ${numbers.get(organizationId) ?? ''}`}`,
    ),
    'Sizes in bytes:',
    ...files.map((file) => `  ${file}: ${statSync(join(home, file), { throwIfNoEntry: false })?.size ?? 0}`),
    `The last ${log.length} lines of the log:`,
    ...log.map((line) => `  ${line}`),
  ]
  const { length } = homedir()
  return lines.map((line) => (length > 1 ? line.replaceAll(homedir(), '~') : line))
}

async function logLines(file: string, withPeople: boolean, terminal: Terminal): Promise<readonly string[]> {
  const lines = (await terminal.readFile(file).catch(() => '')).split('\n').filter((line) => line !== '')
  return lines.slice(-linesAtMost).map((line) => (withPeople ? line : withoutPeople(line)))
}

function withoutPeople(line: string): string {
  try {
    const found = JSON.parse(line) as Readonly<Record<string, unknown>>
    const { stack } = found
    const frames = typeof stack === 'string' ? stack.split('\n').filter((one) => /^\s+at /.test(one)) : []
    const shown = shownMembers.map((name) => found[name]).filter((one) => typeof one === 'string')
    return [...shown, ...frames.map((one) => one.trim())].join(' ')
  } catch {
    return '(a line that cannot be read)'
  }
}
