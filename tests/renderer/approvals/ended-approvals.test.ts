import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ApprovalQuery, FirmwareRelease } from '../../../electron/contract/api/firmware.ts'
import { settle, type TestCore } from '../core.ts'
import { withSize } from '../lists/a-grid.ts'
import { openPage, textIn } from '../page.ts'

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
async function severalEnded(core: TestCore): Promise<void> {
  const another = { vendorId: 2830, productId: 9296 }
  const [{ version }] = (await core.handlers.firmware.releases(another)).releases as [FirmwareRelease]
  await approve(core, { ...another, version, expires: '2026-11-20' })
  await revoked(core)
}
const counts = (core: TestCore): Promise<void> => approve(core, {})
async function comparedWithLatest(core: TestCore): Promise<void> {
  await expired(core)
  await core.handlers.firmware.compareWith({ with: 'latest' })
}
/** The warnings of these pages, by their address. */
async function warningsOn(
  addresses: readonly string[],
  prepare: (core: TestCore) => Promise<void>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  withSize(1_000, 600)
  const { page, router } = await openPage('/help', {}, prepare)
  const found: Record<string, readonly string[]> = {}
  for (const address of addresses) {
    await router.push(address)
    await vi.dynamicImportSettled()
    await settle()
    found[address] = page.findAll('[aria-label="Ended approvals"] li').map((one) => textIn(one.element))
  }
  return found
}

const ofExpired = `The approval of 2.9.1 for ${name} expired on 20 Nov 2026. Without a new approval, its devices are compared with the latest version.`
const ofRevoked = `2.9.1, approved for ${name}, was revoked by the vendor. Without a new approval, its devices are compared with the latest version.`

describe('an ended approval is reported wherever counts are compared with approved versions', () => {
  it.each([
    [expired, ofExpired],
    [revoked, ofRevoked],
  ] as const)(
    'on the pages of all products, of the product and of the fleet, not of another product (%o)',
    async (prepare, said) => {
      const onProducts = [`${said} Approve another version`]
      const expected = {
        '/firmware': onProducts,
        '/firmware/2830/9395': [`${said} Approve another version, or remove this approval.`],
        '/firmware/2830/9296': [],
        '/overview': onProducts,
      }
      expect(await warningsOn(Object.keys(expected), prepare)).toEqual(expected)
    },
  )

  it('several are counted on the pages of all products, and each is reported on the page of its own', async () => {
    const counted =
      '2 approvals have ended. Without new ones, their devices are compared with the latest versions. Show approved versions'
    const expected = {
      '/firmware': [counted],
      '/firmware/2830/9395': [`${ofRevoked} Approve another version, or remove this approval.`],
      '/overview': [counted],
    }
    expect(await warningsOn(Object.keys(expected), severalEnded)).toEqual(expected)
  })

  it.each([[counts], [comparedWithLatest]])('on no page while there is none (%o)', async (prepare) => {
    const expected = { '/firmware': [], '/firmware/2830/9395': [], '/overview': [] }
    expect(await warningsOn(Object.keys(expected), prepare)).toEqual(expected)
  })
})
