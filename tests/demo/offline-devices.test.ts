import { afterEach, describe, expect, test } from 'vitest'
import type { Asking } from './a-demonstration.ts'
import { aDemonstration, devicesPath, morning } from './a-demonstration.ts'

let demo: Asking
afterEach(() => demo.it.stop())

describe('a device that is offline takes settings and firmware when it is online again', () => {
  interface Listed {
    readonly id: string
    readonly isConnected: boolean | null
    readonly deviceConnectionStatus: string | null
    readonly lastSeenAt: string
    readonly firmwareVersion: string
    readonly settings: Readonly<Record<string, { readonly isOn?: boolean | null }>>
  }
  const listed = async (): Promise<readonly Listed[]> =>
    (
      (await demo.manage('POST', `${devicesPath}/settings`, { deviceClientType: 'Personal', pageSize: 500 }))
        .body as { items: Listed[] }
    ).items
  const found = async (id: string): Promise<Listed> => (await listed()).find((one) => one.id === id)!
  const hours = 3_600_000

  test('firmware', async () => {
    demo = await aDemonstration({ devices: 300, rooms: 12 })
    const now = morning
    const { id, firmwareVersion: before } = (await listed()).find(
      ({ isConnected, lastSeenAt }) => isConnected === false && Date.parse(lastSeenAt) > now - 8 * hours,
    )!
    const { availableVersions } = (await demo.manage('GET', `${devicesPath}/${id}/firmware`)).body as {
      availableVersions: string[]
    }
    const wanted = availableVersions.find((version) => version !== before) ?? ''
    const begun = await demo.manage('POST', `${devicesPath}/${id}/firmware/${wanted}`)
    demo.it.advance(6 * 60_000)
    const offline = await found(id)
    let minutes = 0
    while ((await found(id)).isConnected !== true && (minutes += 5) < 24 * 60) demo.it.advance(5 * 60_000)
    const online = await found(id)
    expect([
      begun.status,
      [offline.isConnected, offline.firmwareVersion],
      [online.isConnected, online.firmwareVersion],
    ]).toEqual([202, [false, before], [true, wanted]])
  })

  test('settings', async () => {
    demo = await aDemonstration({ devices: 300, rooms: 12 })
    const now = morning
    const device = (await listed()).find(
      ({ isConnected, lastSeenAt, settings }) =>
        isConnected === false &&
        Date.parse(lastSeenAt) > now - 8 * hours &&
        typeof settings['sidetoneEnabled']?.isOn === 'boolean',
    )!
    const isOn = device.settings['sidetoneEnabled']!.isOn === true
    await demo.manage('PATCH', `${devicesPath}/${device.id}/settings`, {
      settings: { sidetoneEnabled: { isOn: !isOn } },
    })
    const seen: boolean[] = []
    for (let minutes = 0; minutes < 24 * 60; minutes += 5) {
      const { isConnected, settings } = await found(device.id)
      seen.push(settings['sidetoneEnabled']?.isOn === (isConnected === true ? !isOn : isOn))
      if (isConnected === true) break
      demo.it.advance(5 * 60_000)
    }
    expect([seen.length > 1, seen.every(Boolean)]).toEqual([true, true])
  })
})
