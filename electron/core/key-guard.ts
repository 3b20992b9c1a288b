import { Failed } from '../contract/failure.ts'
import type { Json } from '../contract/json.ts'
import type { AllHandlers } from '../contract/rpc-client.ts'
import type { Organizations } from './organizations/organizations.ts'

/** The one method that takes a key, and those that take keys out of what they keep. */
const exempt: ReadonlySet<string> = new Set(['organizations.setKey', 'explorer.run', 'explorer.saveExample'])
/** What these keep goes to devices: it cannot be kept with a key taken out, so every stored key is known before it is looked at. */
const learnsFirst: ReadonlySet<string> = new Set(['jobs.plan', 'goldenProfiles.save'])

type Handler = (argument: unknown) => Promise<unknown>

/** The same handlers; a subscription key pasted where none belongs is refused before it is kept or sent anywhere: Failed `invalid`. */
export function refusingKeys(
  handlers: AllHandlers,
  organizations: Pick<Organizations, 'scrubber' | 'keyScrubber'>,
): AllHandlers {
  const guarded =
    (name: string, handle: Handler): Handler =>
    async (argument) => {
      if (argument !== undefined && !exempt.has(name)) {
        if (learnsFirst.has(name)) await organizations.keyScrubber()
        const plain = argument as Json
        if (organizations.scrubber.json(plain, JSON.stringify(plain)) !== plain)
          throw new Failed({
            kind: 'invalid',
            field: 'text',
            message: 'A subscription key stands in it. Nothing was done with it.',
          })
      }
      return handle(argument)
    }
  return Object.fromEntries(
    Object.entries(handlers).map(([feature, own]) => [
      feature,
      Object.fromEntries(
        Object.entries(own as Record<string, Handler>).map(([key, handle]) => [
          key,
          guarded(`${feature}.${key}`, handle),
        ]),
      ),
    ]),
  ) as unknown as AllHandlers
}
