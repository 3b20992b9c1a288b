import { Failed } from '../contract/failure.ts'
import type { Json } from '../contract/json.ts'
import type { AllHandlers } from '../contract/rpc-client.ts'
import { checkedHandlers } from './checked-handlers.ts'
import type { Organizations } from './organizations/organizations.ts'

/** The only method that accepts a key, and those that remove keys from text. */
const exempt: ReadonlySet<string> = new Set([
  'organizations.setKey',
  'organizations.withoutKeys',
  'explorer.run',
  'explorer.saveExample',
])
/**
 * A key cannot be removed from the stored values of these methods, because they are sent to devices. So all
 * stored keys are loaded before the check.
 */
const learnsFirst: ReadonlySet<string> = new Set(['devices.setSettings', 'jobs.plan', 'goldenProfiles.save'])

/**
 * The same handlers with a check: a subscription key pasted elsewhere is refused before it is stored or sent:
 * Failed `invalid`.
 */
export function refusingKeys(
  handlers: AllHandlers,
  organizations: Pick<Organizations, 'scrubber' | 'keyScrubber'>,
): AllHandlers {
  return checkedHandlers(handlers, async (name, argument) => {
    if (argument === undefined || exempt.has(name)) return
    if (learnsFirst.has(name)) await organizations.keyScrubber()
    const plain = argument as Json
    if (organizations.scrubber.json(plain, JSON.stringify(plain)) !== plain)
      throw Failed.invalid('text', 'The text contains a subscription key. Nothing was saved or sent.')
  })
}
