import { computed, type ComputedRef } from 'vue'
import type { PolicyMember, PolicyState } from '../../electron/contract/api/policy.ts'
import type { PolicyRule } from '../../electron/contract/failure.ts'
import { failureText } from '../failures/failure-text.ts'
import { useLayoutStore } from './layout-store.ts'

/** What a person wants to do. */
export type PolicyQuestion = 'change' | 'act' | 'export' | 'webhooks' | 'demonstration'

const rules: Readonly<Record<PolicyQuestion, readonly PolicyRule[]>> = {
  change: ['locked'],
  act: ['locked', 'look-only'],
  export: ['locked', 'export'],
  webhooks: ['locked', 'webhooks'],
  demonstration: ['locked', 'demonstration'],
}

/** Minutes that an unlock lasts without a policy. */
const unlockedForInMinutes = 15

/** The administrator's policy, as the core applies it. */
export function usePolicy(): {
  readonly state: ComputedRef<PolicyState | null>
  /** Why it does not allow this, for display beside a disabled action; null: it does, or it is not known yet. */
  readonly whyNot: (question: PolicyQuestion) => string | null
  /** Minutes that an unlock lasts without an action. */
  readonly unlockMinutes: ComputedRef<number>
} {
  const layout = useLayoutStore()
  const state = computed(() => layout.status?.policy ?? null)
  const valueOf = (name: PolicyMember): unknown =>
    state.value?.settings.find((setting) => setting.name === name)?.value
  const isForbidden = (rule: PolicyRule): boolean => {
    if (rule === 'locked') return state.value?.state === 'locked'
    if (rule === 'look-only') return valueOf('lookOnly') === true
    return valueOf(rule as PolicyMember) === false
  }
  return {
    state,
    whyNot(question) {
      const rule = rules[question].find(isForbidden)
      if (rule === undefined || state.value === null) return null
      const { file, problem } = state.value
      const detail = rule === 'locked' ? problem : null
      return failureText({ kind: 'policy', rule, file, detail }).sentence
    },
    unlockMinutes: computed(() => {
      const minutes = valueOf('lockAfterMinutes')
      return typeof minutes === 'number' ? minutes : unlockedForInMinutes
    }),
  }
}
