import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { KitContents, KitPlan, MadeKit } from '../../electron/contract/api/kits.ts'
import type { Failure } from '../../electron/contract/failure.ts'
import { api } from '../api.ts'
import { text } from '../locales/i18n.ts'
import { latestResult } from '../components/latest-result.ts'
import { showToast } from '../components/toasts.ts'

/** The selection for which a page requests a kit. */
export type KitSubjects = Partial<Pick<KitContents, 'rooms' | 'devices' | 'products'>>

/**
 * The requested site kit. Pages request it here; App.vue shows the dialog. The work continues when the dialog
 * is closed.
 */
export const useKits = defineStore('kits', () => {
  const subjects = shallowRef<KitSubjects | null>(null)
  const plan = latestResult<KitPlan>()
  const version = ref<KitContents['version']>('approved')
  const withPeople = ref(false)
  const folder = ref<string | null>(null)
  const making = ref(false)
  const made = shallowRef<MadeKit | null>(null)
  const failure = shallowRef<Failure | null>(null)

  const contents = (): KitContents => ({
    rooms: null,
    devices: null,
    products: [],
    ...subjects.value,
    version: version.value,
  })
  async function look(): Promise<void> {
    await plan.take(api.kits.plan(contents()))
  }
  function ask(wanted: KitSubjects): void {
    subjects.value = wanted
    if (making.value) return
    plan.clear()
    made.value = null
    failure.value = null
    version.value = 'approved'
    withPeople.value = false
    void look()
  }
  function close(): void {
    subjects.value = null
  }
  async function chooseFolder(): Promise<void> {
    const chosen = await api.downloads.chooseFolder()
    failure.value = chosen.ok ? null : chosen.failure
    if (chosen.ok && chosen.value !== null) folder.value = chosen.value
  }
  async function make(): Promise<void> {
    if (making.value || folder.value === null) return
    making.value = true
    failure.value = null
    const outcome = await api.kits.make({
      ...contents(),
      folder: folder.value,
      withPeople: withPeople.value,
    })
    making.value = false
    if (outcome.ok) made.value = outcome.value
    else failure.value = outcome.failure
    if (subjects.value === null)
      showToast(
        text(outcome.ok ? 'kits.toast.made' : 'kits.toast.failed', { folder: folder.value }),
        outcome.ok ? 'ok' : 'bad',
      )
  }

  return {
    subjects,
    version,
    withPeople,
    folder,
    making,
    made,
    failure,
    plan: plan.value,
    planFailure: plan.failure,
    planning: plan.busy,
    ask,
    close,
    look,
    chooseFolder,
    make,
  }
})
