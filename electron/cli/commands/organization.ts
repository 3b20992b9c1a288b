import type {
  KeyState,
  Organization,
  OrganizationDraft,
  PresetName,
} from '../../contract/api/organizations.ts'
import { advancedMembers, withAdvanced } from '../../contract/organization.ts'
import type { CoreClient } from '../core-client.ts'
import { show, text, readText, type Command, type Terminal } from '../command.ts'
import { UsageError, type ParsedCommand } from '../grammar.ts'
import { includedStages } from '../stages.ts'
import { table } from '../table.ts'

const addressed = {
  preset: { type: 'string', help: 'demonstration, jabra-plus or custom (default custom)' },
  'management-url': { type: 'string', help: 'base address of the management interface' },
  'metadata-url': { type: 'string', help: 'base address of the metadata interface' },
  'management-version': { type: 'string', help: 'api-version header (default 2)' },
  'metadata-version': { type: 'string', help: 'version in the metadata path (default 18)' },
  'definition-limit': {
    type: 'string',
    help: 'highest supported definition version (default: that of the installed package)',
  },
  'include-stage': {
    type: 'string',
    help: 'also count releases of these stages as the latest: Candidate,Test,Beta (default: public releases only)',
  },
  advanced: {
    type: 'string',
    help: `a JSON file (- for standard input) with values that the service does not publish: ${advancedMembers.join(', ')}`,
  },
} as const

export const organizationCommands: readonly Command[] = [
  {
    name: 'org add',
    operands: ['NAME'],
    options: addressed,
    summary: 'adds an organization and makes it the current one',
    run: async (core, given, terminal) => {
      const list = await core.handlers.organizations.list()
      const preset = (text(given, 'preset') ?? 'custom') as PresetName
      const base = list.presets.find((known) => known.name === preset)?.draft
      if (base === undefined)
        throw new UsageError(
          `--preset: there is no preset "${preset}"; use ${list.presets.map((known) => known.name).join(', ')}.`,
        )
      const draft = await withFile(given, terminal, {
        ...base,
        name: given.operands[0] ?? '',
        managementUrl: text(given, 'management-url') ?? base.managementUrl,
        metadataUrl: text(given, 'metadata-url') ?? base.metadataUrl,
        managementVersion: whole(given, 'management-version') ?? base.managementVersion,
        metadataVersion: whole(given, 'metadata-version') ?? base.metadataVersion,
        definitionLimit: text(given, 'definition-limit') ?? base.definitionLimit,
        includeStages: includedStages(given) ?? base.includeStages,
      })
      const added = await core.handlers.organizations.add(draft)
      return show(given, terminal, added, () => `Added ${added.name}; it is the current organization.`)
    },
  },
  {
    name: 'org list',
    summary: 'lists the organizations',
    run: async (core, given, terminal) => {
      const { organizations } = await core.handlers.organizations.list()
      show(given, terminal, { organizations }, () =>
        organizations.length === 0
          ? 'There is no organization yet: headroom org add NAME --preset demonstration'
          : table(
              ['', 'Name', 'Preset', 'Management', 'Keys'],
              organizations.map((one) => [
                one.current ? '*' : ' ',
                one.name,
                one.preset,
                one.managementUrl,
                keysOf(one),
              ]),
            ),
      )
      const hasLostAll =
        organizations.length === 0 &&
        (await core.handlers.app.status()).problems.some(({ id }) => id.startsWith('workbook'))
      return hasLostAll ? 4 : 0
    },
  },
  {
    name: 'org use',
    operands: ['NAME'],
    summary: 'switches to another organization',
    run: async (core, given, terminal) => {
      const used = await core.handlers.organizations.use({
        id: (await named(core, given.operands[0] ?? '')).id,
      })
      return show(given, terminal, used, () => `${used.name} is the current organization.`)
    },
  },
  {
    name: 'org remove',
    operands: ['NAME'],
    options: { yes: { type: 'boolean', help: 'confirm: removes the profile, the keys and all data read' } },
    summary: 'removes an organization, its keys and its data',
    run: async (core, given, terminal) => {
      const gone = await named(core, given.operands[0] ?? '')
      if (given.options['yes'] !== true)
        throw new UsageError(`org remove deletes the keys of ${gone.name} and all data read: add --yes.`)
      await core.handlers.organizations.remove({ id: gone.id, wait: true })
      return show(given, terminal, { removed: gone.id, name: gone.name }, () => `Removed ${gone.name}.`)
    },
  },
]

const keysOf = (one: Organization): string =>
  one.keys
    .filter((key: KeyState) => key.set)
    .map((key) => {
      const notes = [
        key.slot === one.keyInUse ? 'in use' : null,
        key.slot === one.regenerate?.slot ? 'regenerate it' : null,
      ].filter((word) => word !== null)
      return `${key.slot} …${key.lastFour ?? ''}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
    })
    .join(', ')

function whole(given: ParsedCommand, option: string): number | null {
  const value = text(given, option)
  if (value === null) return null
  if (!/^\d{1,9}$/.test(value)) throw new UsageError(`--${option} is a whole number, not "${value}".`)
  return Number(value)
}

/** The profile decides whether the values are valid. */
async function withFile(
  given: ParsedCommand,
  terminal: Terminal,
  draft: OrganizationDraft,
): Promise<OrganizationDraft> {
  const file = text(given, 'advanced')
  if (file === null) return draft
  const filled = withAdvanced(await readText(file, terminal), draft)
  if (typeof filled !== 'string') return filled
  throw new UsageError(
    filled === ''
      ? `--advanced: ${file} is not a JSON object.`
      : `--advanced: "${filled}" of ${file} is no member of a profile, or of another type.`,
  )
}

async function named(core: CoreClient, name: string): Promise<Organization> {
  const { organizations } = await core.handlers.organizations.list()
  const found =
    organizations.find((one) => one.name === name) ??
    organizations.find((one) => one.name.toLowerCase() === name.toLowerCase() || one.id === name)
  if (found === undefined) throw new UsageError(`There is no organization "${name}".`)
  return found
}
