import type { KeySlot } from '../../../electron/contract/failure.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import { assumedWords } from '../../../electron/contract/organization.ts'
import type {
  KeyState,
  Organization,
  OrganizationDraft,
  Preset,
} from '../../../electron/contract/api/organizations.ts'
import { originOf } from '../../../electron/core/organizations/key-entry.ts'
import type { AllHandlers } from '../../../electron/contract/rpc-client.ts'
import { observedTemplates } from '../../../electron/contract/template.ts'

const draft = (over: Partial<OrganizationDraft>): OrganizationDraft => ({
  name: '',
  preset: 'custom',
  managementUrl: '',
  metadataUrl: '',
  managementVersion: 2,
  metadataVersion: 18,
  family: 'Brand SDK V4',
  vendorId: 2830,
  definitionCeiling: null,
  templates: observedTemplates,
  rebootBy: 'group-id',
  assumed: assumedWords,
  includeStages: [],
  ...over,
})

const presets: readonly Preset[] = [
  { name: 'demonstration', draft: draft({ name: 'Demonstration', preset: 'demonstration' }) },
  {
    name: 'jabra-plus',
    draft: draft({
      preset: 'jabra-plus',
      managementUrl: 'https://api.cloud.jabra.com',
      metadataUrl: 'https://cdn.cloud.jabra.com',
      family: 'Jabra SDK V4',
    }),
  },
  { name: 'custom', draft: draft({}) },
]

const noKey = (slot: KeySlot): KeyState => ({
  slot,
  set: false,
  lastFour: null,
  keptIn: null,
  addedAt: null,
  lastUsedAt: null,
  lastRefusedAt: null,
  notBound: null,
})

export interface OrganizationDouble {
  readonly answers: AllHandlers['organizations']
  readonly organizations: () => readonly Organization[]
}

/** Organizations that can be added, changed and removed. The key `wrong` is refused, as is a key with inner white space. */
export function organizationAnswers(
  options: {
    readonly nowAt: number
    readonly none: boolean
    readonly demonstration: boolean
    readonly refused: boolean
    readonly keychain: boolean
    readonly keys: 'one' | 'two' | 'swapped' | 'refused'
    /** Of the primary key. */
    readonly notBound: KeyState['notBound']
    /** The organization that HEADROOM_KEY is for. */
    readonly environmentKeyOf: string | null
  },
  changed: (ids: readonly string[]) => void,
): OrganizationDouble {
  const { nowAt } = options
  const first: Organization = {
    ...(options.demonstration
      ? draft({ name: 'Demonstration', preset: 'demonstration' })
      : { ...draft({}), ...presets[1]?.draft, name: 'Nordlys A/S' }),
    id: 'org-1',
    current: true,
    managementOrigin: options.demonstration ? null : 'https://api.cloud.jabra.com',
    createdAt: nowAt - 40 * 86_400_000,
    keys: [
      {
        slot: 'primary',
        set: true,
        lastFour: '7f3a',
        keptIn: options.keychain ? 'keychain' : 'memory',
        addedAt: nowAt - 40 * 86_400_000,
        lastUsedAt: nowAt - 180_000,
        lastRefusedAt: options.refused ? nowAt - 60_000 : null,
        notBound: options.notBound,
      },
      options.keys === 'one'
        ? noKey('secondary')
        : {
            slot: 'secondary',
            set: true,
            lastFour: 'c04e',
            keptIn: options.keychain ? 'keychain' : 'memory',
            addedAt: nowAt - 12 * 86_400_000,
            lastUsedAt: options.keys === 'two' ? null : nowAt - 120_000,
            lastRefusedAt: null,
            notBound: null,
          },
    ],
    keyInUse: options.keys === 'one' || options.keys === 'two' ? 'primary' : 'secondary',
    regenerate:
      options.keys === 'swapped' || options.keys === 'refused'
        ? { slot: 'primary', since: nowAt - 4 * 86_400_000, because: options.keys }
        : null,
    stoppedBecause: options.refused ? 'key-refused' : null,
  }
  const second: Organization = {
    ...draft({
      name: 'Fjordbank',
      preset: 'custom',
      managementUrl: 'https://devices.fjordbank.example',
      metadataUrl: 'https://models.fjordbank.example',
    }),
    id: 'org-2',
    current: false,
    managementOrigin: 'https://devices.fjordbank.example',
    createdAt: nowAt - 9 * 86_400_000,
    keys: [noKey('primary'), noKey('secondary')],
    keyInUse: 'primary',
    regenerate: null,
    stoppedBecause: null,
  }
  let list: Organization[] = options.none ? [] : options.demonstration ? [first] : [first, second]
  const entered = new Map<string, string>()
  let order = 2

  const find = (id: string): Organization => {
    const found = list.find((o) => o.id === id)
    if (!found) throw new Failed({ kind: 'not-found', call: null, what: 'organization' })
    return found
  }
  const replace = (next: Organization): Organization => {
    list = list.map((o) => (o.id === next.id ? next : o))
    changed([next.id])
    return next
  }
  const setSlot = (id: string, state: KeyState): KeyState => {
    const organization = find(id)
    replace({
      ...organization,
      keys: organization.keys.map((key) => (key.slot === state.slot ? state : key)),
      stoppedBecause: state.set ? null : organization.stoppedBecause,
    })
    return state
  }

  return {
    organizations: () => list,
    answers: {
      list: async () => ({
        organizations: list,
        presets,
        keychain: options.keychain
          ? { available: true, reason: null, message: null }
          : {
              available: false,
              reason: 'no-service',
              message: 'The name org.freedesktop.secrets was not provided by any .service files',
            },
        environmentKeyOf: options.environmentKeyOf,
      }),
      add: async (given) => {
        if (!given.name.trim())
          throw new Failed({ kind: 'invalid', field: 'name', message: 'a name is needed' })
        const made: Organization = {
          ...given,
          id: `org-${++order}`,
          current: true,
          managementOrigin: originOf(given),
          createdAt: nowAt,
          keys: [noKey('primary'), noKey('secondary')],
          keyInUse: 'primary',
          regenerate: null,
          stoppedBecause: null,
        }
        list = [...list.map((o) => ({ ...o, current: false })), made]
        changed([made.id])
        return made
      },
      update: async ({ id, draft: given }) => {
        const before = find(id)
        const managementOrigin = originOf(given)
        const moved = before.managementOrigin !== managementOrigin
        const keys = moved ? before.keys.map(({ slot }) => noKey(slot)) : before.keys
        return replace({ ...before, ...given, managementOrigin, keys })
      },
      useKey: async ({ id, slot }) =>
        replace({
          ...find(id),
          keyInUse: slot,
          regenerate: {
            slot: slot === 'primary' ? 'secondary' : 'primary',
            since: nowAt,
            because: 'swapped',
          },
        }),
      keyRegenerated: async ({ id }) => replace({ ...find(id), regenerate: null }),
      use: async ({ id }) => {
        find(id)
        list = list.map((o) => ({ ...o, current: o.id === id }))
        changed(list.map((o) => o.id))
        return find(id)
      },
      remove: async ({ id }) => {
        list = list.filter((o) => o.id !== id)
        changed([id])
      },
      setKey: async ({ id, slot, key }) => {
        const trimmed = key.trim()
        if (/\s/.test(trimmed))
          throw new Failed({ kind: 'invalid', field: 'key', message: 'there is white space inside it' })
        entered.set(`${id} ${slot}`, trimmed)
        if (find(id).regenerate?.slot === slot) replace({ ...find(id), regenerate: null })
        return setSlot(id, {
          slot,
          set: true,
          lastFour: trimmed.slice(-4),
          keptIn: options.keychain ? 'keychain' : 'memory',
          addedAt: nowAt,
          lastUsedAt: null,
          lastRefusedAt: null,
          notBound: null,
        })
      },
      checkKey: async ({ id, slot }) => {
        const state = find(id).keys.find((key) => key.slot === slot)
        if (!state?.set) throw new Failed({ kind: 'key-missing' })
        const wouldGoTo = find(id).managementOrigin ?? ''
        if (state.notBound) throw new Failed({ kind: 'key-not-bound', slot, ...state.notBound, wouldGoTo })
        if (entered.get(`${id} ${slot}`)?.includes('wrong'))
          throw new Failed({
            kind: 'key-refused',
            slot,
            message: 'Access denied due to invalid subscription key.',
          })
        setSlot(id, { ...state, lastUsedAt: nowAt })
        return { slot, accepted: true, checkedAt: nowAt }
      },
      bindKey: async ({ id, slot }) => {
        const state = find(id).keys.find((key) => key.slot === slot)
        if (!state?.set) throw new Failed({ kind: 'key-missing' })
        return setSlot(id, { ...state, notBound: null })
      },
      forgetKey: async ({ id, slot }) => setSlot(id, noKey(slot)),
    },
  }
}
