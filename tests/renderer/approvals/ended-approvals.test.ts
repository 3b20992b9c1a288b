import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ApprovalQuery } from '../../../electron/contract/api/firmware.ts'
import { settle, type TestCore } from '../core.ts'
import { withSize } from '../lists/a-grid.ts'
import { openPage, textIn, type OpenedPage } from '../page.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const product = { vendorId: 2830, productId: 9395 } as const
const name = 'Jabra Evolve2 65 Mono'
const day = 86_400_000

async function approve({ handlers }: TestCore, given: Partial<ApprovalQuery>): Promise<void> {
  await handlers.firmware.compareWith({ with: 'approved' })
  await handlers.firmware.approve({
    ...product,
    version: '2.9.1',
    variant: null,
    reason: 'tested',
    expires: null,
    ...given,
  })
}
/** Its last day is over. */
async function expired(core: TestCore): Promise<void> {
  await approve(core, { expires: '2026-11-20' })
  core.sleep(2 * day)
}
async function revoked(core: TestCore): Promise<void> {
  await approve(core, {})
  core.service.alter('/products/9395/firmware-releases', (body: { version: string }[]) =>
    body.map((one) => (one.version === '2.9.1' ? { ...one, revoked: true } : one)),
  )
  core.sleep(2 * day)
  await core.finish(core.handlers.firmware.releases(product))
}
const counts = (core: TestCore): Promise<void> => approve(core, {})
async function comparedWithLatest(core: TestCore): Promise<void> {
  await expired(core)
  await core.handlers.firmware.compareWith({ with: 'latest' })
}
async function open(address: string, prepare: (core: TestCore) => Promise<void>): Promise<OpenedPage> {
  withSize(1_000, 600)
  const opened = await openPage(address, {}, prepare)
  await settle()
  return opened
}
const warnings = ({ page }: OpenedPage): readonly string[] =>
  page.findAll('[aria-label="Ended approvals"] li').map((one) => textIn(one.element))

const ofExpired = `The approval of 2.9.1 for ${name} expired on 20 Nov 2026. Without a new approval, its devices are compared with the latest version.`
const ofRevoked = `2.9.1, approved for ${name}, was revoked by the vendor. Without a new approval, its devices are compared with the latest version.`

describe('an ended approval is reported wherever counts are compared with approved versions', () => {
  it.each([
    ['/firmware', expired, [`${ofExpired} Approve another version`]],
    ['/firmware/2830/9395', expired, [`${ofExpired} Approve another version, or remove this approval.`]],
    ['/firmware/2830/9296', expired, []],
    ['/overview', expired, [`${ofExpired} Approve another version`]],
    ['/firmware', revoked, [`${ofRevoked} Approve another version`]],
    ['/firmware/2830/9395', revoked, [`${ofRevoked} Approve another version, or remove this approval.`]],
    ['/overview', revoked, [`${ofRevoked} Approve another version`]],
  ] as const)('%s, %o', async (address, prepare, said) => {
    expect(warnings(await open(address, prepare))).toEqual(said)
  })

  it.each(
    ['/firmware', '/firmware/2830/9395', '/overview'].flatMap((address) =>
      [counts, comparedWithLatest].map((prepare) => [address, prepare] as const),
    ),
  )('%s shows no ended approval (%o)', async (address, prepare) => {
    expect(warnings(await open(address, prepare))).toEqual([])
  })
})
