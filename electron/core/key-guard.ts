import { Failed } from '../contract/failure.ts'
import type { Json } from '../contract/json.ts'
import type { AllHandlers } from '../contract/rpc-client.ts'
import { effectOf } from '../contract/rpc-server.ts'
import { checkedHandlers } from './checked-handlers.ts'
import { lookalikeMark } from './organizations/key-text.ts'
import { inRecordsFrom } from './organizations/known-keys.ts'
import type { Organizations } from './organizations/organizations.ts'

/** The only method that accepts a key, and those that remove keys from text. */
const exempt: ReadonlySet<string> = new Set([
  'organizations.setKey',
  'organizations.withoutKeys',
  'explorer.run',
  'explorer.saveExample',
])
/** Their ids and values are sent, so a key cannot be removed from them. */
const sentToService: ReadonlySet<string> = new Set(['devices.setSettings', 'jobs.plan'])

/**
 * The same handlers with a check: a subscription key pasted elsewhere is refused before it is stored or sent:
 * Failed `invalid`. For text that is stored, the stored keys are read first; while they cannot be, what looks
 * like a key is refused.
 */
export function refusingKeys(
  handlers: AllHandlers,
  organizations: Pick<Organizations, 'scrubber' | 'keyScrubber'>,
): AllHandlers {
  return checkedHandlers(handlers, async (name, argument) => {
    if (argument === undefined || exempt.has(name)) return
    const plain = argument as Json
    const isSent = sentToService.has(name)
    // A text that is too short for a key does not wait for the keychain, which may ask for its password.
    const texts =
      isSent || effectOf(name) === 'local'
        ? textsIn(plain).filter(({ length }) => length >= inRecordsFrom)
        : []
    const scrub = isSent || texts.length > 0 ? await organizations.keyScrubber() : null
    if (organizations.scrubber.json(plain, JSON.stringify(plain)) !== plain)
      throw refusal('The text contains a subscription key.')
    if (
      scrub !== null &&
      texts.some((text) => !text.includes(lookalikeMark) && scrub(text).includes(lookalikeMark))
    )
      throw refusal('The text may contain a subscription key, and the keychain cannot be read to tell.')
  })
}

const refusal = (why: string): Failed => Failed.invalid('text', `${why} Nothing was saved or sent.`)

/** Without ids, which may look like keys; those of what is only stored are compared with stored ones. */
function textsIn(json: Json): readonly string[] {
  if (typeof json === 'string') return [json]
  if (typeof json !== 'object' || json === null) return []
  if (Array.isArray(json)) return json.flatMap((one: Json) => textsIn(one))
  return Object.entries(json).flatMap(([name, value]) =>
    name === 'id' || name === 'ids' ? [] : [name, ...textsIn(value)],
  )
}
