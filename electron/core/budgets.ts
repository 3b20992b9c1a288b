import {
  managementLimits,
  openCallBudget,
  type CallBudget,
  type CallLimits,
} from './call-budget/call-budget.ts'
import { feature } from './feature.ts'
import type { Platform } from './platform.ts'
import type { SharedBase } from './core-features.ts'
import type { Workbook } from './storage/workbook.ts'

/** One budget for each subscription, shared by its organizations. */
export const budgetsFeature = feature({
  open(needs: Pick<SharedBase, 'platform' | 'limits'> & { readonly workbook: Workbook }) {
    const { platform, workbook, limits } = needs
    const budgets = openBudgets(platform, workbook, limits ?? managementLimits)
    return { gives: { budgets }, onRowsChanged: null, close: () => budgets.close() }
  },
  handlers: null,
})

function openBudgets(
  { clock, random, transport: { connections } }: Platform,
  workbook: Workbook,
  limits: CallLimits,
) {
  const open = new Map<string, Promise<CallBudget>>()
  return {
    of: (scope: string): Promise<CallBudget> => {
      const known = open.get(scope)
      if (known !== undefined) return known
      const budget = openCallBudget({
        clock,
        random,
        history: { workbook, scope },
        limits,
        ...(connections && { parallel: connections }),
      })
      open.set(scope, budget)
      return budget
    },
    close: async (): Promise<void> => {
      for (const budget of open.values()) await (await budget).close()
    },
  }
}
