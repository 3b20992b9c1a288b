import type { ExplorerRun } from '../../contract/api/explorer.ts'
import { Failed } from '../../contract/failure.ts'
import { concealed } from '../writes/writes.ts'
import type { Callable } from './callable.ts'
import { jsonOf } from './typed-call.ts'

/**
 * Typed parameters in the form that history and examples store: a body has dots for possible passwords and codes,
 * and is stored as typed if there are none. Throws Failed `invalid` if a body is not JSON.
 */
export const withoutSecrets = (
  operation: Callable,
  typed: ExplorerRun['parameters'],
): ExplorerRun['parameters'] => ({
  ...typed,
  ...Object.fromEntries(
    bodiesIn(operation, typed).map(([name, text]) => {
      const json = jsonOf(name, text)
      const stored = JSON.stringify(concealed(json))
      return [name, stored === JSON.stringify(json) ? text : stored]
    }),
  ),
})

/** Throws Failed `invalid` if the dots of a stored call would be sent instead of the hidden value. */
export function mustHoldNoDots(operation: Callable, typed: ExplorerRun['parameters']): void {
  for (const [name, text] of bodiesIn(operation, typed))
    if (JSON.stringify(jsonOf(name, text)).includes('•••'))
      throw Failed.invalid(name, 'The dots replace a hidden value. Type the value itself.')
}

const bodiesIn = (
  { parameters }: Callable,
  typed: ExplorerRun['parameters'],
): readonly (readonly [name: string, text: string])[] =>
  Object.entries(typed).filter(
    ([name, text]) => text !== '' && parameters.some((one) => one.name === name && one.type === 'json'),
  )
