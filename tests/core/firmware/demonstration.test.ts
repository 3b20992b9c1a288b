import { expect, test } from 'vitest'
import { openConnectedCore } from '../../connected-core.ts'

/** Products of a video bar room without releases of their own. */
const bundled = [12344, 12352, 12364, 12367, 12432, 13824]

test('rooms with a PanaCast 50 are not unknown: they are compared with the contents of bundles', async () => {
  const { core, add, close } = await openConnectedCore({ devices: 400, rooms: 60 })
  try {
    await add({ family: 'Jabra SDK V4' })
    await core.handlers.sync.run()
    const session = await core.sessions.current()
    await session.firmware.warm({
      products: bundled.map((productId) => ({ vendorId: 2830, productId })),
    })
    await session.recomputeCompliance()
    const count = async (where: string): Promise<number> =>
      (await core.handlers.devices.slice({ where, sort: [], start: 0, count: 0 })).total
    const theirs = `pid:${bundled.join(',')}`
    const withVersion = `${theirs} !fw:""`
    expect([
      (await count(withVersion)) > 50,
      await count(`${withVersion} fw:unknown`),
      (await count(`${theirs} fw:behind`)) > 0,
      (await count(`${theirs} fw:current`)) > 0,
    ]).toEqual([true, 0, true, true])
  } finally {
    await close()
  }
})
