import type { ExplorerRun } from '../../contract/api/explorer.ts'
import { Failed } from '../../contract/failure.ts'
import { isJsonObject, type Json } from '../../contract/json.ts'
import { replaceConfidential } from '../writes/writes.ts'
import type { Callable } from './callable.ts'
import { jsonOf } from './typed-call.ts'

const dots = '•••'
/** Stored levels of a body, as in the journal. Raise it if a real body is deeper. */
const levelsAtMost = 50

interface Concealed {
  readonly json: Json
  /** Whether something is missing in `json`. */
  readonly hides: boolean
  /** Whether dots were typed, as in a stored call. */
  readonly holdsDots: boolean
}

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
      const { json, hides } = concealed(jsonOf(name, text))
      return [name, hides ? JSON.stringify(json) : text]
    }),
  ),
})

/** Throws Failed `invalid` if the dots of a stored call would be sent instead of the hidden value. */
export function mustHoldNoDots(operation: Callable, typed: ExplorerRun['parameters']): void {
  for (const [name, text] of bodiesIn(operation, typed))
    if (concealed(jsonOf(name, text)).holdsDots)
      throw Failed.invalid(name, 'The dots replace a hidden value. Type the value itself.')
}

const bodiesIn = (
  { parameters }: Callable,
  typed: ExplorerRun['parameters'],
): readonly (readonly [name: string, text: string])[] =>
  Object.entries(typed).filter(
    ([name, text]) => text !== '' && parameters.some((one) => one.name === name && one.type === 'json'),
  )

/** As in the journal, also for a choice: nothing says that a typed value is one of the published ones. */
function concealed(json: Json, level = 0): Concealed {
  if (typeof json !== 'object' || json === null)
    return { json, hides: false, holdsDots: typeof json === 'string' && json.trim() === dots }
  if (level >= levelsAtMost) return { json: '…', hides: true, holdsDots: false }
  const hidden = isJsonObject(json) ? hiddenMembers(json) : null
  const members = Object.entries(json).map(([name, value]: [string, Json]) => {
    const inside = concealed(value, level + 1)
    return [name, hidden?.has(name) === true ? { ...inside, json: dots, hides: true } : inside] as const
  })
  return {
    json: Array.isArray(json)
      ? members.map(([, one]) => one.json)
      : Object.fromEntries(members.map(([name, one]) => [name, one.json])),
    hides: members.some(([, one]) => one.hides),
    holdsDots: members.some(([, one]) => one.holdsDots),
  }
}

/** Each value counts as a number or a text, so that none is judged by what is inside it. */
function hiddenMembers(json: Readonly<Record<string, Json>>): ReadonlySet<string> {
  const flat = Object.fromEntries(
    Object.entries(json).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? 0 : value,
    ]),
  )
  const hidden = new Set<string>()
  const marked = Object.entries(replaceConfidential(flat, () => dots) ?? {})
  for (const [name, value] of marked) if (value === dots) hidden.add(name)
  return hidden
}
