import { defineStore } from 'pinia'
import { computed, ref, shallowReactive, shallowRef } from 'vue'
import { done, failed, type KeySlot, type Outcome } from '../../electron/contract/failure.ts'
import type {
  KeyCheck,
  KeyState,
  Organization,
  OrganizationDraft,
  OrganizationList,
  PresetName,
} from '../../electron/contract/api/organizations.ts'
import { api } from '../api.ts'
import { latestResult, type LatestResult } from '../components/latest-result.ts'

/** Every organization, the known facts of its keys, and its actions. */
export const useOrganizations = defineStore('organizations', () => {
  const list = latestResult<OrganizationList>()
  const selectedId = ref<string | null>(null)
  /** The action in flight, such as `check primary`: its button is disabled meanwhile. */
  const doing = computed(() => (acted.busy.value ? actionName.value : null))
  const acted = latestResult<unknown>()
  const actionName = ref('')
  const checks = shallowReactive(new Map<string, LatestResult<KeyCheck>>())
  /** Organizations whose rotation is open; it remains open when the page is left. */
  const rotating = shallowRef<ReadonlySet<string>>(new Set())

  const organizations = computed(() => list.value.value?.organizations ?? [])
  const current = computed(() => organizations.value.find((one) => one.current) ?? null)
  const selected = computed(
    () =>
      organizations.value.find((one) => one.id === selectedId.value) ??
      current.value ??
      organizations.value[0] ??
      null,
  )

  const load = (): Promise<boolean> => list.take(api.organizations.list(undefined))

  /** Runs one action at a time, stores its failure for display, and reloads the list. */
  async function act<T>(name: string, question: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    actionName.value = name
    acted.failure.value = null
    const request = question()
    await acted.take(
      request.then(async (outcome) => {
        await load()
        return outcome
      }),
    )
    return request
  }

  /** A check is valid only for the key that was stored then: another key has not been checked. */
  const forgetCheck = (id: string, slot: KeySlot): boolean => checks.delete(`${id} ${slot}`)

  async function check(id: string, slot: KeySlot): Promise<Outcome<KeyCheck>> {
    const checked = latestResult<KeyCheck>()
    checks.set(`${id} ${slot}`, checked)
    const request = act(`check ${slot}`, () => api.organizations.checkKey({ id, slot }))
    await checked.take(request)
    return request
  }

  return {
    list: list.value,
    failure: list.failure,
    busy: list.busy,
    organizations,
    current,
    selected,
    selectedId,
    doing,
    actionFailure: acted.failure,
    keychain: computed(() => list.value.value?.keychain ?? null),
    presets: computed(() => list.value.value?.presets ?? []),
    load,
    /** Subscribes to events; returns the function that stops it. */
    follow: () => api.organizations.changed(() => void load()),
    presetDraft: (name: PresetName): OrganizationDraft | null =>
      list.value.value?.presets.find((one) => one.name === name)?.draft ?? null,
    /** Where to get a key; empty: unknown. */
    portalOf: (name: PresetName): string =>
      list.value.value?.presets.find((one) => one.name === name)?.portalUrl ?? '',
    lastCheck: (id: string, slot: KeySlot): KeyCheck | null =>
      checks.get(`${id} ${slot}`)?.value.value ?? null,
    add: (draft: OrganizationDraft): Promise<Outcome<Organization>> =>
      act('add', () => api.organizations.add(draft)),
    update: (id: string, draft: OrganizationDraft): Promise<Outcome<Organization>> =>
      act('update', () => api.organizations.update({ id, draft })),
    use: (id: string): Promise<Outcome<Organization>> => act('use', () => api.organizations.use({ id })),
    remove: (id: string): Promise<Outcome<void>> => act('remove', () => api.organizations.remove({ id })),
    setKey(id: string, slot: KeySlot, key: string): Promise<Outcome<KeyState>> {
      forgetCheck(id, slot)
      return act(`set ${slot}`, () => api.organizations.setKey({ id, slot, key }))
    },
    forgetKey(id: string, slot: KeySlot): Promise<Outcome<KeyState>> {
      forgetCheck(id, slot)
      return act(`forget ${slot}`, () => api.organizations.forgetKey({ id, slot }))
    },
    check,
    useKey: (id: string, slot: KeySlot): Promise<Outcome<Organization>> =>
      act(`use ${slot}`, () => api.organizations.useKey({ id, slot })),
    keyRegenerated: (id: string, slot: KeySlot): Promise<Outcome<Organization>> =>
      act(`regenerated ${slot}`, () => api.organizations.keyRegenerated({ id, slot })),
    isRotating: (id: string): boolean => rotating.value.has(id),
    setRotating(id: string, on: boolean): void {
      rotating.value = new Set([...rotating.value].filter((one) => one !== id).concat(on ? [id] : []))
    },
    /** Adds the demonstration, or uses the existing one; its first sync continues in the background. */
    async openDemonstration(): Promise<Outcome<Organization>> {
      const outcome = await act('demonstration', async (): Promise<Outcome<Organization>> => {
        // The button may be clicked before the list is loaded.
        const known = list.value.value ? done(list.value.value) : await api.organizations.list()
        if (!known.ok) return known
        const existing = known.value.organizations.find((one) => one.preset === 'demonstration')
        if (existing) return api.organizations.use({ id: existing.id })
        const preset = known.value.presets.find((one) => one.name === 'demonstration')
        return preset
          ? api.organizations.add(preset.draft)
          : failed({ kind: 'not-found', call: null, what: 'demonstration' })
      })
      if (outcome.ok) void api.sync.run(undefined)
      return outcome
    },
    startSync: () => void api.sync.run(undefined),
  }
})
