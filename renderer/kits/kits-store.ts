import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { KitContents, KitPlan, MadeKit } from '../../electron/contract/api/kits.ts'
import { api } from '../api.ts'
import { formatBytes, formatCount } from '../components/format.ts'
import { countedText, text } from '../locales/i18n.ts'
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
  const chosen = latestResult<string | null>()
  const made = latestResult<MadeKit>()

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
    if (made.busy.value) return
    plan.clear()
    made.clear()
    chosen.clear()
    version.value = 'approved'
    withPeople.value = false
    void look()
  }
  function close(): void {
    subjects.value = null
  }
  async function chooseFolder(): Promise<void> {
    if (await chosen.take(api.downloads.chooseFolder())) useFolder(chosen.value.value)
  }
  /** null: the choice was cancelled. */
  function useFolder(wanted: string | null): void {
    folder.value = wanted ?? folder.value
  }
  async function make(): Promise<void> {
    if (made.busy.value || folder.value === null) return
    made.failure.value = null
    chosen.clear()
    const of = subjects.value
    const request = api.kits.make({ ...contents(), folder: folder.value, withPeople: withPeople.value })
    await made.take(request)
    const outcome = await request
    if (subjects.value === null)
      showToast(
        text(outcome.ok ? 'kits.toast.made' : 'kits.toast.failed', { folder: folder.value }),
        outcome.ok ? 'ok' : 'bad',
      )
    else if (!outcome.ok && subjects.value !== of) {
      // Another kit was requested meanwhile: its form is shown next, with its own plan.
      plan.clear()
      await look()
    }
  }

  return {
    subjects,
    version,
    withPeople,
    folder,
    making: made.busy,
    made: made.value,
    /** Where the finished kit is, and how many parts it lacks. */
    outcome: computed(() => (made.value.value === null ? '' : outcomeOf(made.value.value))),
    failure: computed(() => made.failure.value ?? chosen.failure.value),
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

const outcomeOf = ({ folder, files, bytes, missing }: MadeKit): string =>
  countedText(`kits.made${missing.length > 0 ? 'Without' : ''}`, missing.length, {
    folder,
    files: formatCount(files),
    size: formatBytes(bytes),
    n: formatCount(missing.length),
  })
