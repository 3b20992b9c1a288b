import type { Operation, ServiceInterface } from '../contract/operations.ts'
import { operations } from '../contract/operations.ts'

interface Route {
  readonly operation: Operation
  readonly pattern: RegExp
  readonly names: readonly string[]
}

const routeOf = (operation: Operation, path: string): Route => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const pattern = path.replace(/[.*+?^$()[\]\\|]/g, '\\$&').replace(/\{\w+\}/g, '([^/]+)')
  return { operation, names, pattern: new RegExp(`^${pattern}${operation.interface === 'metadata' ? '\\.json' : ''}$`) }
}

/** Literal paths before those with parameters, so that `…/products/hosts` is not taken for an entity. */
const routes: readonly Route[] = (operations as readonly Operation[])
  .flatMap((operation) => (operation.path === null ? [] : [routeOf(operation, operation.path)]))
  .sort((one, other) => one.names.length - other.names.length)

interface Routed {
  readonly operation: string
  readonly parameters: Readonly<Record<string, string>>
}

/** The operation that a raw path (relative to the interface's base, still percent-encoded) and method name; null: none. Every segment is decoded once. */
export const routed = (of: ServiceInterface, method: string, path: string): Routed | null => {
  for (const { operation, pattern, names } of routes) {
    if (operation.interface !== of || operation.method !== method) continue
    const values = pattern.exec(path)?.slice(1)
    if (values === undefined) continue
    try {
      return { operation: operation.name, parameters: Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(values[at] ?? '')])) }
    } catch {
      return null
    }
  }
  return null
}
