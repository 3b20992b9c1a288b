import type { Organization } from '../contract/api/organizations.ts'
import {
  managementLimits,
  openCallBudget,
  type CallBudget,
  type CallLimits,
} from './call-budget/call-budget.ts'
import type { SharedDeps } from './core-modules.ts'
import { openLastUse } from './storage/last-use.ts'
import { openCallHistory } from './storage/ledger.ts'

/** One budget for each subscription, shared by its organizations. */
export interface Budgets {
  of(scope: string, organization: Organization): Promise<CallBudget>
  close(): Promise<void>
}

/**
 * `limits`: the known limits of the service, if they differ from the specification's; null: the
 * specification's.
 */
export function openBudgets(
  { platform, ledger, workbook }: Pick<SharedDeps, 'platform' | 'ledger' | 'workbook'>,
  limits: CallLimits | null = null,
): Budgets {
  const { clock, random } = platform
  const open = new Map<string, Promise<CallBudget>>()
  return {
    of: (scope, organization) => {
      const known = open.get(scope)
      if (known !== undefined) return known
      // A demonstration's subscription is new at each start: it has no history to lose.
      const lastUse = organization.preset === 'demonstration' ? null : openLastUse({ workbook, clock, scope })
      const history = openCallHistory({ database: ledger, clock, scope, lastUse })
      const { connections } = platform.transport
      const budget = openCallBudget({
        clock,
        random,
        history,
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
