import { expect, it } from 'vitest'
import organizations from '../../../renderer/locales/en/organizations.json' with { type: 'json' }

/** Retry, ordering, signing, certificates and status codes of deliveries are not shown (services.md#W7). */
it('the card states no unpublished facts about deliveries', () => {
  const words = organizations.webhooks
  const { steps } = words
  expect([steps.address.sentence, steps.authentication.sentence]).toEqual([
    'A public HTTPS address.',
    'How the service signs in to your receiver. Whether it signs events is not published.',
  ])
  expect(JSON.stringify(words)).not.toMatch(/not signed|self-signed|\b20[02]\b|retr(?:y|ies)|most likely/i)
})
