import { expect, test } from 'vitest'
import type { DeviceRow } from '../../../electron/contract/api/devices.ts'
import type { FirmwareLink, Product } from '../../../electron/contract/api/firmware.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import { contentsOf, targetKey, type ContentsDeps } from '../../../electron/core/kits/kit-contents.ts'
import { unwatched } from '../../../electron/core/tasks.ts'

const id = { vendorId: 2830, productId: 12306 }
const product = { ...id, name: 'Bar', variants: [] } as unknown as Product
const devices = ['01', '02', null].map((variantType, at) => ({ id: `D${at}`, productId: 12306, variantType }))
const wanted = {
  rooms: null,
  devices: { kind: 'picked', ids: ['D0', 'D1', 'D2'] },
  products: [],
  version: 'approved',
} as const

/** A product of whose variants one has an approved version. `link`: the published links by version. */
const contents = (link: (version: string, variant: string | undefined) => Partial<FirmwareLink>) =>
  contentsOf(
    wanted,
    {
      organization: { id: 'org', vendorId: 2830 },
      devices: {
        selected: async () => devices.map((one) => one.id),
        listed: async () => ({
          total: devices.length,
          batches: (async function* () {
            yield devices as unknown as DeviceRow[]
          })(),
        }),
      },
      rooms: {} as ContentsDeps['rooms'],
      firmware: {
        product: async () => product,
        link: async ({ version, variant }) =>
          ({ buildType: 'Release', ...link(version, variant) }) as FirmwareLink,
      },
      approvals: {
        decisions: async () => ({
          of: (_: unknown, variant: string | null) =>
            variant === '01' ? { kind: 'valid', version: '1.0.0' } : { kind: 'none' },
        }),
      } as unknown as ContentsDeps['approvals'],
      recovery: { all: async () => ({ answers: [], failure: null }) },
    },
    unwatched,
  )

test('a kit has for each variant the version that is approved for it, else the latest', async () => {
  const found = await contents((asked, variant) => {
    const version = asked !== 'latest' ? asked : variant === '02' ? '2.1.0' : '2.0.0'
    return { version, url: `https://files.example.com/${version}.zip`, md5: version, bytes: 1 }
  })
  expect([
    found.lacksFirmware,
    found.files.map(({ version, products, targets }) => [version, products.length, targets]),
  ]).toEqual([
    false,
    [
      ['1.0.0', 1, [targetKey(id, '01')]],
      ['2.1.0', 1, [targetKey(id, '02')]],
      ['2.0.0', 1, [targetKey(id, null)]],
    ],
  ])
})

test('a kit in which one version is the target of all variants has its file once, for all of them', async () => {
  const found = await contents(() => ({ version: '1.0.0', url: 'https://files.example.com/1.zip', md5: 'a' }))
  expect(found.files.map(({ products, targets }) => [products.length, targets.length])).toEqual([[1, 3]])
})

test('a kit that lacks the file of one version says so', async () => {
  const found = await contents((asked) => {
    if (asked === 'latest') throw Failed.notFound('a release')
    return { version: asked, url: 'https://files.example.com/1.zip', md5: 'a' }
  })
  expect([found.lacksFirmware, found.files.length, found.missing]).toEqual([
    true,
    1,
    [{ what: 'Firmware of Bar (2830/12306)', reason: 'Not found, or not published.' }],
  ])
})
