import type { Operation, OperationName, ServiceInterface } from '../contract/operations.ts'
import { operationNamed, operations } from '../contract/operations.ts'

interface Route {
  readonly operation: Operation
  readonly pattern: RegExp
  readonly names: readonly string[]
}

const routeOf = (operation: Operation, path: string): Route => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const pattern = path.replace(/[.*+?^$()[\]\\|]/g, '\\$&').replace(/\{\w+\}/g, '([^/]+)')
  return {
    operation,
    names,
    pattern: new RegExp(`^${pattern}${operation.interface === 'metadata' ? '\\.json' : ''}$`),
  }
}

/**
 * These paths are not published: the demonstration's own, so that a profile's templates for them can be
 * tried.
 */
const chosenPaths: Partial<Readonly<Record<OperationName, string>>> = {
  ListDevicesWithSettings: '/devices/api/devices/settings',
  GetDeviceFirmware: '/devices/api/devices/{deviceId}/firmware',
  UpdateDeviceFirmware: '/devices/api/devices/{deviceId}/firmware/{firmwareVersion}',
}

/** Literal paths before those with parameters, so that `…/products/hosts` is not taken for an entity. */
const routes: readonly Route[] = operations
  .flatMap((operation) => {
    const path = operation.path ?? chosenPaths[operation.name]
    return path === undefined ? [] : [routeOf(operation, path)]
  })
  .sort((one, other) => one.names.length - other.names.length)

interface Routed {
  readonly operation: string
  readonly parameters: Readonly<Record<string, string>>
}

/** The methods that a raw path accepts; empty: there is no such path. */
export const methodsOf = (of: ServiceInterface, path: string): readonly string[] => [
  ...new Set(
    routes.flatMap(({ operation, pattern }) =>
      operation.interface === of && pattern.test(path) ? [operation.method] : [],
    ),
  ),
]

/**
 * Whether a call of the operation has a JSON body: it has parameters there, or a page request with only
 * optional members.
 */
export const takesBody = (name: string): boolean =>
  operationNamed(name)?.parameters.some((parameter) => parameter.in === 'body') ?? false

/**
 * The operation of a raw path (relative to the interface's base, still percent-encoded) and method name;
 * null: none. Every segment is decoded once.
 */
export const routed = (of: ServiceInterface, method: string, path: string): Routed | null => {
  for (const { operation, pattern, names } of routes) {
    if (operation.interface !== of || operation.method !== method) continue
    const values = pattern.exec(path)?.slice(1)
    if (values === undefined) continue
    try {
      return {
        operation: operation.name,
        parameters: Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(values[at] ?? '')])),
      }
    } catch {
      return null
    }
  }
  return null
}
