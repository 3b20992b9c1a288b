import { expect, it, onTestFinished } from 'vitest'
import type { JsonObject } from '../../../electron/contract/json.ts'
import { aDevice } from '../../a-device.ts'
import { anOddService } from '../../an-odd-service.ts'
import { answer } from '../../fake-transport.ts'

it.each(['the same service', 'another key', 'another address'])(
  'an interrupted sync, then one with %s',
  async (what) => {
    const service = await anOddService()
    onTestFinished(service.close)
    const { organizations, sync } = service.core.handlers
    const tokens: unknown[] = []
    let refuses = true
    service.instead = ({ url, body }) => {
      const { deviceClientType, continuationToken = null } = JSON.parse(body ?? '{}') as JsonObject
      if (!url.endsWith('/devices') || deviceClientType !== 'MeetingRoom')
        return answer(200, { items: [], continuationToken: null })
      tokens.push(continuationToken)
      if (continuationToken === null) return answer(200, { items: [aDevice(1)], continuationToken: 'next' })
      return refuses ? answer(403, {}) : answer(200, { items: [aDevice(2)], continuationToken: null })
    }
    expect(await sync.run()).toMatchObject({ complete: false, devices: { read: 1 } })
    refuses = false
    const { id, ...draft } = await organizations.current()
    if (what === 'another key')
      await organizations.setKey({ id, slot: 'primary', key: 'f0e1d2c3b4a5968778695a4b3c2d1e0f' })
    if (what === 'another address')
      await organizations.update({ id, draft: { ...draft, managementUrl: 'https://odd.example/other' } })
    tokens.length = 0
    expect(await sync.run()).toMatchObject({ complete: true, devices: { read: 2 } })
    expect(tokens[0]).toBe(what === 'the same service' ? 'next' : null)
  },
)
