import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deviceGroupColumns } from '../../../electron/contract/fields/device.ts'
import { Fleet, by, organizationId } from './a-fleet.ts'
import { failureOf } from '../../failure-of.ts'

const fleet = new Fleet()
beforeAll(() => fleet.open())
afterAll(() => fleet.home.remove())

describe('devices in groups', () => {
  it.each([
    ['productName', '', ['Jabra PanaCast 50 2', 'Jabra Evolve2 65 1', '- 1']],
    ['firmwareVersion', '', ['4.10 1', '4.2.0.21 1', '4.2.0.9 1', '- 1']],
    ['status', '', ['online 2', 'Sleeping 1', 'offline 1']],
    ['status', 'product:panacast', ['online 2']],
    ['roomName', '', ['Aarhus 3 1', 'Århus 12 1', '- 2']],
    ['location', '', ['Aarhus 1', 'Second floor 1', '- 2']],
  ] as const)('by %s of "%s", the largest first, unknown values last', async (column, where, expected) => {
    const groups = await fleet.devices.groups(organizationId, { where, by: column })
    expect(groups.map(({ label, count }) => `${label ?? '-'} ${count}`)).toEqual(expected)
  })

  it.each(deviceGroupColumns)(
    'match the devices of each group by %s exactly with the filter of the group',
    async (column) => {
      const groups = await fleet.devices.groups(organizationId, { where: 'gone:any', by: column })
      const visible = await Promise.all(
        groups.map(({ where }) => fleet.found(where ?? 'no filter', by('id'))),
      )
      expect([visible.map((ids) => ids.length), [...visible.join('')].toSorted().join('')]).toEqual([
        groups.map(({ count }) => count),
        '12345',
      ])
    },
  )

  it('reject a filter that cannot be parsed', async () => {
    expect(
      await failureOf(fleet.devices.groups(organizationId, { where: 'colour:red', by: 'status' })),
    ).toMatchObject({ kind: 'invalid', field: 'where' })
  })
})
