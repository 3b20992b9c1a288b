import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FirmwareDifference } from '../../../electron/contract/api/definitions.ts'
import { demonstrationTemplates, openConnectedCore, type ConnectedCore } from '../../connected-core.ts'

const product = { vendorId: 2830, productId: 9395, variantType: null }
const [from, to] = ['2.7.2', '2.9.2']

let connected: ConnectedCore
let found: FirmwareDifference
/** Devices whose settings were read. */
const read = new Set<string>()
beforeAll(async () => {
  connected = await openConnectedCore({ devices: 400, rooms: 20 })
  await connected.add({
    family: 'Jabra SDK V4',
    templates: demonstrationTemplates,
  })
  const { handlers } = connected.core
  await handlers.sync.run()
  const { rows } = await handlers.devices.slice({ where: '', sort: [], start: 0, count: 400 })
  const own = rows.filter(({ productId }) => productId === 9395)
  for (const { id } of own.filter((_, index) => index % 3 > 0)) {
    await handlers.devices.settings({ id, refresh: true })
    read.add(id)
  }
  found = await handlers.definitions.firmwareDifference({ ...product, from, to })
})
afterAll(() => connected.close())

/** The content of each demonstration document about one setting. */
const namesOf = (lines: readonly { readonly name: string; readonly source: string }[]): readonly string[] => [
  ...new Set(lines.filter(({ source }) => source === 'feature-model').map(({ name }) => name)),
]

describe('two versions of a product of the demonstration', () => {
  it('differ in a setting added, one renamed, a value withdrawn and a limit narrowed', () => {
    expect([namesOf(found.added).length, namesOf(found.removed).length, found.gaps, found.absent]).toEqual([
      2,
      1,
      [],
      ['jose'],
    ])
    expect([...new Set(found.changed.map(({ member }) => member))]).toEqual(
      expect.arrayContaining(['allowed', 'maximum']),
    )
    expect(found.compared).toEqual(['properties', 'device-model', 'feature-model'])
  })

  it('affect the devices that a plain loop over all of them finds', async () => {
    const { handlers } = connected.core
    const { rows } = await handlers.devices.slice({ where: '', sort: [], start: 0, count: 400 })
    const own = rows.filter(({ productId, gone }) => productId === 9395 && !gone)
    const right = await handlers.definitions.documents({
      selection: {
        product: { vendorId: 2830, productId: 9395 },
        variantType: found.right.variantType,
        firmwareVersion: to,
        schemaVersion: null,
        definitionVersion: null,
        trimmed: false,
        source: 'service',
      },
      kinds: ['feature-model'],
    })
    const items = new Map(right.documents[0]?.items.map((item) => [item.name, item]))
    const removed = new Set(namesOf(found.removed))
    const changed = new Set(namesOf(found.changed))
    const ids: string[] = []
    let unknown = 0
    for (const { id } of own) {
      if (!read.has(id)) {
        unknown++
        continue
      }
      const { settings } = await handlers.devices.settings({ id, refresh: false })
      const isAtRisk = settings.some(({ name, value }) => {
        const item = items.get(name)
        if (value === null) return false
        if (removed.has(name)) return true
        if (!changed.has(name) || item === undefined) return false
        return (
          (item.allowed.length > 0 && !item.allowed.includes(value)) ||
          Number(value) > (item.maximum ?? Infinity)
        )
      })
      if (isAtRisk) ids.push(id)
    }
    const { notAllowed, total } = found.devices
    expect([total, found.devices.unknown, found.devices.ids, notAllowed > 0, unknown > 0]).toEqual([
      own.length,
      unknown,
      ids.toSorted(),
      true,
      true,
    ])
  })
})
