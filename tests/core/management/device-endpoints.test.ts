import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import type { Json } from '../../../electron/contract/json.ts'
import { observedTemplates, type EndpointTemplates } from '../../../electron/contract/template.ts'
import { openDeviceEndpoints } from '../../../electron/core/management/management.ts'
import type { ServiceClient, ServiceRequest } from '../../../electron/core/service-client/service-client.ts'
import { failureOf } from '../../failure-of.ts'

const all: EndpointTemplates = {
  ...observedTemplates,
  devicesWithSettings: 'POST /devices/api/devices/settings',
  firmwareRead: 'GET /devices/api/devices/{deviceId}/firmware',
  firmwareUpdate: 'POST /devices/api/devices/{deviceId}/firmware/{firmwareVersion}',
}

function opened(templates: EndpointTemplates, json: Json = {}) {
  const sent: ServiceRequest[] = []
  const client: ServiceClient = {
    send: (request) => {
      sent.push(request)
      return Promise.resolve({ status: 202, headers: {}, json, text: '', receivedAt: 7, attempts: 1 })
    },
    onReach: () => () => undefined,
    retrying: () => 0,
  }
  return { endpoints: openDeviceEndpoints({ client, templates, host: 'management.example' }), sent }
}
type Endpoints = ReturnType<typeof openDeviceEndpoints>

const visible = ({ operation, method, path, body, lane, writes }: ServiceRequest) => ({
  operation,
  method,
  path,
  body,
  lane,
  writes,
})
const requested = { deviceId: 'a/b ?c', lane: 'interactive', signal: null } as const
const page = { token: null, pageSize: 100, lane: 'bulk', signal: null } as const

const calls: readonly [string, (endpoints: Endpoints) => unknown, ReturnType<typeof visible>][] = [
  [
    'settings of a device are read where another client was seen reading them',
    (endpoints) => endpoints.settings(requested),
    {
      operation: 'GetDeviceSettings',
      method: 'GET',
      path: '/devices/api/devices/a%2Fb%20%3Fc/settings',
      body: null,
      lane: 'interactive',
      writes: false,
    },
  ],
  [
    'a change of settings is a write',
    (endpoints) => endpoints.settingsUpdate('d', { settings: {} })(null),
    {
      operation: 'UpdateDeviceSettings',
      method: 'PATCH',
      path: '/devices/api/devices/d/settings',
      body: { settings: {} },
      lane: 'write',
      writes: true,
    },
  ],
  [
    'devices with their settings page as the device list does',
    (endpoints) => endpoints.devicesWithSettings({ ...page, token: 't+/' }),
    {
      operation: 'ListDevicesWithSettings',
      method: 'POST',
      path: '/devices/api/devices/settings',
      body: { pageSize: 100, continuationToken: 't+/' },
      lane: 'bulk',
      writes: false,
    },
  ],
  [
    'firmware of a device is read',
    (endpoints) => endpoints.firmware(requested),
    {
      operation: 'GetDeviceFirmware',
      method: 'GET',
      path: '/devices/api/devices/a%2Fb%20%3Fc/firmware',
      body: null,
      lane: 'interactive',
      writes: false,
    },
  ],
  [
    'an update of firmware is a write',
    (endpoints) => endpoints.firmwareUpdate('d', '1.2.3')(null),
    {
      operation: 'UpdateDeviceFirmware',
      method: 'POST',
      path: '/devices/api/devices/d/firmware/1.2.3',
      body: null,
      lane: 'write',
      writes: true,
    },
  ],
]

describe('unpublished endpoints', () => {
  it.each(calls)('%s', async (_, work, expected) => {
    const { endpoints, sent } = opened(all, { items: [] })
    await work(endpoints)
    expect(sent.map(visible)).toEqual([expected])
  })

  it.each(calls)('sends nothing without a template (%s)', async (_, work, { operation }) => {
    const none: EndpointTemplates = {
      deviceSettings: null,
      updateDeviceSettings: null,
      devicesWithSettings: null,
      firmwareRead: null,
      firmwareUpdate: null,
    }
    const { endpoints, sent } = opened(none)
    expect(await failureOf(() => work(endpoints))).toEqual({
      kind: 'not-found',
      call: { operation, host: 'management.example' },
      what: `a path for ${operation} (not published; you can add one to the organization’s profile)`,
    })
    expect(sent).toEqual([])
  })

  it('names exactly the device in the address, or sends no request', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (deviceId) => {
        const { endpoints, sent } = opened(all)
        const failure = await failureOf(() => endpoints.settings({ ...requested, deviceId }))
        const [request] = sent
        if (request === undefined) {
          expect(failure).toMatchObject({ kind: 'invalid' })
          return
        }
        const { pathname, search, hash } = new URL(`https://management.example${request.path}`)
        const [, ...segments] = pathname.split('/').map(decodeURIComponent)
        expect({ segments, search, hash }).toEqual({
          segments: ['devices', 'api', 'devices', deviceId, 'settings'],
          search: '',
          hash: '',
        })
      }),
    )
  })

  it.each(['', '.', '..'])(
    'sends no request for a device called "%s", because its address would be another one',
    async (deviceId) => {
      const { endpoints, sent } = opened(all)
      const failures = [
        await failureOf(() => endpoints.settings({ ...requested, deviceId })),
        await failureOf(() => endpoints.settingsUpdate(deviceId, {})),
      ]
      expect({ kinds: failures.map((failure) => (failure as { kind: string }).kind), sent }).toEqual({
        kinds: ['invalid', 'invalid'],
        sent: [],
      })
    },
  )

  it.each([
    [
      'POST /firmware/{deviceId} {"version":"{firmwareVersion}"}',
      '/firmware/a%2F..%2Fb',
      { version: '1"}.2' },
    ],
    ['POST /firmware/{deviceId} {"version":{firmwareVersion}}', '/firmware/a%2F..%2Fb', { version: '1"}.2' }],
    [
      'PATCH /u [{"device":"id {deviceId}","to":["{firmwareVersion}"],"now":true}]',
      '/u',
      [{ device: 'id a/../b', to: ['1"}.2'], now: true }],
    ],
    ['POST /f/{deviceId}/{firmwareVersion}', '/f/a%2F..%2Fb/1%22%7D.2', null],
  ])(
    'sends the parameters of an update by %s in the address and in the texts of the body',
    async (template, path, body) => {
      const { endpoints, sent } = opened({ ...all, firmwareUpdate: template })
      await endpoints.firmwareUpdate('a/../b', '1"}.2')(null)
      expect(sent.map((request) => ({ path: request.path, body: request.body }))).toEqual([{ path, body }])
    },
  )

  it('rejects an update whose template names no version before anything is sent', () => {
    const { endpoints, sent } = opened({ ...all, firmwareUpdate: 'POST /firmware/{deviceId}' })
    expect(() => endpoints.firmwareUpdate('d', '1.2.3')).toThrow(Failed)
    expect(sent).toEqual([])
  })

  it.each(['.', '..', ''])('rejects an update of the device "%s", which no address can name', (deviceId) => {
    const { endpoints, sent } = opened(all)
    expect(() => endpoints.firmwareUpdate(deviceId, '1.2.3')).toThrow(Failed)
    expect(sent).toEqual([])
  })
})

it('sends the id of a device as the service spelt it last', async () => {
  const sent: ServiceRequest[] = []
  const client: ServiceClient = {
    send: (request) => {
      sent.push(request)
      return Promise.resolve({ status: 202, headers: {}, json: {}, text: '', receivedAt: 7, attempts: 1 })
    },
    onReach: () => () => undefined,
    retrying: () => 0,
  }
  const endpoints = openDeviceEndpoints({
    client,
    templates: {
      ...all,
      deviceSettings: 'GET /s/{deviceId}',
      updateDeviceSettings: 'PATCH /s/{deviceId}',
      firmwareRead: 'GET /f/{deviceId}',
      firmwareUpdate: 'POST /f {"id":"{deviceId}","version":"{firmwareVersion}"}',
    },
    host: 'management.example',
    sentId: (deviceId) => deviceId.toUpperCase(),
  })
  const ask = { deviceId: 'd1', lane: 'refresh', signal: null } as const
  await endpoints.settings(ask)
  await endpoints.firmware(ask)
  await endpoints.settingsUpdate('d1', {})(null)
  await endpoints.firmwareUpdate('d1', '1.2')(null)
  expect(sent.map(({ path, body }) => `${path} ${JSON.stringify(body)}`)).toEqual([
    '/s/D1 null',
    '/f/D1 null',
    '/s/D1 {}',
    '/f {"id":"D1","version":"1.2"}',
  ])
})
