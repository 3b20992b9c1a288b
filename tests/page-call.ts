import type { ExplorerRun } from '../electron/contract/api/explorer.ts'

/** A call as the Explorer page makes it. */
export const pageCall = (
  operation: string,
  parameters: ExplorerRun['parameters'] = {},
  unlock = false,
): ExplorerRun => ({
  operation,
  parameters,
  unlock,
  whole: false,
  wait: false,
  copies: null,
  reference: null,
})
