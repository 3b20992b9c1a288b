import {
  managementLimits,
  openCallBudget,
  type CallBudget,
  type CallLimits,
} from './call-budget/call-budget.ts'
import type { SharedDeps } from './core-modules.ts'

/** One budget for each subscription, shared by its organizations. */
export interface Budgets {
  of(scope: string): Promise<CallBudget>
  close(): Promise<void>
}

/**
 * `limits`: the known limits of the service, if they differ from the specification's; null: the
 * specification's.
 */
export function openBudgets(
  { platform, workbook }: Pick<SharedDeps, 'platform' | 'workbook'>,
  limits: CallLimits | null = null,
): Budgets {
  const { clock, random } = platform
  const open = new Map<string, Promise<CallBudget>>()
  return {
    of: (scope) => {
      const known = open.get(scope)
      if (known !== undefined) return known
      const { connections } = platform.transport
      const budget = openCallBudget({
        clock,
        random,
        history: { workbook, scope },
        limits: limits ?? managementLimits,
        ...(connections && { parallel: connections }),
      })
      open.set(scope, budget)
      return budget
    },
    close: async () => {
      for (const budget of open.values()) await (await budget).close()
    },
  }
}
