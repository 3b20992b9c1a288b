import type { ExplorerOperation } from '../../electron/contract/api/explorer.ts'
import { operationNamed, type OperationGroup } from '../../electron/contract/operations.ts'

/** An operation without a row is listed with the service's own documents. */
export const groupOf = (name: string): OperationGroup => operationNamed(name)?.group ?? 'service'

/** The source of an operation's path: the specification, another client, this organization's own template, or none. */
export function pathSource(operation: ExplorerOperation): 'published' | 'observed' | 'template' | 'none' {
  const { name, path, published } = operation
  if (path === null) return 'none'
  if (published) return 'published'
  return operationNamed(name)?.path === path ? 'observed' : 'template'
}
