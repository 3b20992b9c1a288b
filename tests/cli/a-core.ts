import type { CoreClient } from '../../electron/cli/core-client.ts'
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

const alone = {
  owner: () => ({ changes: 0, keyBeside: false, stays: false }),
  workStored: () => undefined,
}

/** A core with only these parts; using any other throws. */
export const aCore = (parts: Some<Pick<Core, 'handlers' | 'onEvent'>>): CoreClient =>
  only({ onEvent: () => () => undefined, ...parts, ...alone }, 'core') as CoreClient

/** A core of this process, as a command uses it. */
export const asClient = ({ handlers, onEvent }: Pick<Core, 'handlers' | 'onEvent'>): CoreClient => ({
  handlers,
  onEvent,
  ...alone,
})

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
