import type { Core } from '../../electron/core/app.ts'

type Some<T> = T extends (...given: infer A) => infer R
  ? (...given: A) => Some<R>
  : T extends Promise<infer V>
    ? Promise<Some<V>>
    : T extends readonly unknown[]
      ? T
      : T extends object
        ? { readonly [K in keyof T]?: Some<T[K]> }
        : T

/** A core with only these parts; using any other throws. */
export const aCore = (parts: Some<Core>): Core => only(parts, 'core') as Core

function only(part: unknown, name: string): unknown {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
  return new Proxy(part, {
    get(given, key) {
      if (typeof key === 'symbol' || key === 'then') return Reflect.get(given, key) as unknown
      if (!(key in given)) throw new Error(`${name}.${key} is not in this test`)
      return only(Reflect.get(given, key), `${name}.${key}`)
    },
  })
}
