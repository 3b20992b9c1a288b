import type { PastedList, WordCount } from '../../contract/api/devices.ts'
import { lookupKey, devicesNamed, type NamedDevice } from '../devices/devices.ts'
import type { Database } from '../platform.ts'
import type { RunningTask } from '../tasks.ts'
import { macIn, pastedWords } from './pasted-words.ts'

/** Maximum of found devices to show (contract). */
const listedAtMost = 500

/** The devices of an organization that a pasted text names, and their ids in the order of the text. */
export async function lookUp(
  database: Database,
  organizationId: string,
  text: string,
  task: RunningTask,
): Promise<{ readonly list: PastedList; readonly ids: readonly string[] }> {
  const { words, notRead } = pastedWords(text)
  task.step('finding', 0, null)
  const keys = words.map((word) => ({ word, exact: lookupKey(word), mac: macIn(word) }))
  const requested = new Set(keys.flatMap(({ exact, mac }) => (mac === null ? [exact] : [exact, mac])))
  const byAnswer = new Map<string, NamedDevice[]>()
  for (const device of requested.size === 0
    ? []
    : await devicesNamed(database, organizationId, [...requested]))
    for (const answer of new Set(device.answersTo)) {
      if (!requested.has(answer)) continue
      const others = byAnswer.get(answer)
      if (others) others.push(device)
      else byAnswer.set(answer, [device])
    }

  const found = new Map<string, { readonly word: string; readonly device: NamedDevice }>()
  const notFound = new Map<string, string>()
  const twice = new Map<string, string>()
  const several = new Map<string, WordCount>()
  for (const { word, exact, mac } of keys) {
    const named = new Map(
      [exact, ...(mac === null ? [] : [mac])].flatMap((key) =>
        (byAnswer.get(key) ?? []).map((device) => [device.id, device] as const),
      ),
    )
    const fresh = [...named.values()].filter((device) => !found.has(device.id))
    if (named.size === 0) notFound.set(exact, notFound.get(exact) ?? word)
    else if (fresh.length === 0) twice.set(exact, twice.get(exact) ?? word)
    if (named.size > 1 && !several.has(exact)) several.set(exact, { word, count: named.size })
    for (const device of fresh) found.set(device.id, { word, device })
  }
  const devices = [...found.values()]
    .slice(0, listedAtMost)
    .map(({ word, device: { id, name, gone } }) => ({ word, id, name, gone }))
  const list: PastedList = {
    name: null,
    found: found.size,
    devices,
    notFound: [...notFound.values()],
    twice: [...twice.values()],
    several: [...several.values()],
    notRead,
  }
  return { list, ids: [...found.keys()] }
}
