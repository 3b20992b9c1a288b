import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { isKind, type Failure, type Outcome } from '../../electron/contract/failure.ts'
import { assumedValues } from '../../electron/contract/organization.ts'
import type {
  KeyCheck,
  Organization,
  OrganizationDraft,
  PresetName,
} from '../../electron/contract/api/organizations.ts'
import { observedTemplates } from '../../electron/contract/template.ts'
import {
  basicFields,
  draftProblems,
  fieldOf,
  keyProblem,
  type Basic,
  type DraftField,
  type Problem,
  type Problems,
} from './draft-check.ts'
import { latestResult } from '../components/latest-result.ts'
import { useOrganizations } from './organizations-store.ts'

export type ConnectStep = 'filling' | 'saving' | 'storing-key' | 'checking'
/** The result: `unchecked` is stored but the service could not be reached. */
export type ConnectResult = 'connected' | 'refused' | 'unchecked' | 'stopped'

const blank: OrganizationDraft = {
  name: '',
  preset: 'custom',
  managementUrl: '',
  metadataUrl: '',
  managementVersion: 2,
  metadataVersion: 18,
  family: 'Brand SDK V4',
  vendorId: 2830,
  definitionLimit: null,
  templates: observedTemplates,
  rebootBy: 'group-id',
  assumed: assumedValues,
  includeStages: [],
}

/** Connecting an organization: typed values stay until it succeeds, so after a refused key only the key is typed again. */
export const useConnect = defineStore('connect', () => {
  const organizations = useOrganizations()
  const draft = ref<OrganizationDraft>(blank)
  /** The advanced text, while it cannot be read. */
  const unread = ref<string | null>(null)
  const key = ref('')
  const tried = ref(false)
  const saved = latestResult<Organization>()
  const keyStored = latestResult<unknown>()
  const checked = latestResult<KeyCheck>()
  const step = computed<ConnectStep>(() => {
    if (saved.busy.value) return 'saving'
    if (keyStored.busy.value) return 'storing-key'
    return checked.busy.value ? 'checking' : 'filling'
  })
  const createdId = computed(() => saved.value.value?.id ?? null)
  const refused = ref(false)
  const unchecked = ref(false)
  const failure = shallowRef<Failure | null>(null)
  /** Messages of the core about single fields. */
  const fieldMessages = shallowRef<{ readonly [field: string]: string }>({})

  const problems = computed<Problems>(() => {
    if (!tried.value) return {}
    const found = draftProblems(draft.value, unread.value)
    const ofKey: Problem | null = keyProblem(key.value)
    return ofKey ? { ...found, key: ofKey } : found
  })

  /** The preset's own name, unless another organization has it: then empty, for the user to fill in. */
  function nameOf(preset: PresetName): string {
    const name = organizations.presetDraft(preset)?.name ?? ''
    return organizations.organizations.some((one) => one.name === name && one.id !== createdId.value)
      ? ''
      : name
  }
  const begun = (preset: PresetName): OrganizationDraft => ({
    ...(organizations.presetDraft(preset) ?? { ...blank, preset }),
    name: nameOf(preset),
  })
  /** Required fields that the preset does not fill in. */
  const basics = computed<readonly Basic[]>(() => {
    const { preset } = draft.value
    const filled = organizations.presetDraft(preset)
    if (filled === null) return preset === 'custom' ? basicFields : []
    return basicFields.filter((field) => (field === 'name' ? nameOf(preset) : filled[field]) === '')
  })

  /** Presets may arrive late (with the state of the keychain): typed and selected values remain. */
  function fillIn(): void {
    const bare: OrganizationDraft = { ...blank, preset: draft.value.preset }
    const typed = Object.entries(draft.value).filter(
      ([field, value]) => value !== bare[field as keyof OrganizationDraft],
    )
    draft.value = { ...begun(draft.value.preset), ...Object.fromEntries(typed) }
  }
  watch(() => organizations.presets.length > 0, fillIn, { flush: 'sync' })

  async function start(preset: PresetName): Promise<void> {
    key.value = ''
    for (const one of [saved, keyStored, checked]) one.clear()
    tried.value = false
    refused.value = false
    unchecked.value = false
    failure.value = null
    fieldMessages.value = {}
    unread.value = null
    draft.value = begun(preset)
    await organizations.load()
  }

  /** Another preset fills in its own addresses and numbers; a typed name remains. */
  function usePreset(preset: PresetName): void {
    const { name, preset: before } = draft.value
    const next = begun(preset)
    draft.value = name === nameOf(before) ? next : { ...next, name }
    unread.value = null
    fieldMessages.value = {}
  }

  function forgetMessage(field: DraftField): void {
    if (!(field in fieldMessages.value)) return
    fieldMessages.value = Object.fromEntries(
      Object.entries(fieldMessages.value).filter(([name]) => name !== field),
    )
  }

  function stop(why: Failure): ConnectResult {
    if (isKind(why, 'invalid'))
      fieldMessages.value = { ...fieldMessages.value, [fieldOf(why.field)]: why.message }
    else failure.value = why
    return 'stopped'
  }

  function finish(): ConnectResult {
    key.value = ''
    organizations.startSync()
    return 'connected'
  }

  /** Stores the organization, then the key, then checks the key once. */
  async function connect(): Promise<ConnectResult> {
    tried.value = true
    refused.value = false
    unchecked.value = false
    failure.value = null
    fieldMessages.value = {}
    if (Object.keys(problems.value).length > 0) return 'stopped'

    const sent = draft.value
    const added =
      createdId.value === null ? organizations.add(sent) : organizations.update(createdId.value, sent)
    if (!(await saved.take(added))) return 'stopped'
    const organization = await added
    if (!organization.ok) return stop(organization.failure)
    const { id } = organization.value

    const given = organizations.setKey(id, 'primary', key.value.trim())
    if (!(await keyStored.take(given))) return 'stopped'
    const stored = await given
    if (!stored.ok) return stop(stored.failure)

    const question = organizations.check(id, 'primary')
    return (await checked.take(question)) ? concluded(await question) : 'stopped'
  }
  function concluded(check: Outcome<KeyCheck>): ConnectResult {
    if (check.ok && check.value.accepted) return finish()
    if (check.ok) {
      refused.value = true
      return 'refused'
    }
    failure.value = check.failure
    unchecked.value = true
    return 'unchecked'
  }

  return {
    draft,
    unread,
    basics,
    key,
    step,
    problems,
    fieldMessages,
    refused,
    unchecked,
    failure,
    createdId,
    busy: computed(() => step.value !== 'filling'),
    start,
    usePreset,
    forgetMessage,
    /** Called when the key is typed again, because the message about the earlier key no longer applies. */
    keyTouched() {
      refused.value = false
      forgetMessage('key')
    },
    connect,
    openUnchecked: finish,
  }
})
