import { createRequire } from 'node:module'
import type { ClientRequest, ClientRequestConstructorOptions, Session as ElectronSession } from 'electron'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openHttpTransport } from '../../../electron/adapters/http-transport.ts'
import { operations, type OperationName } from '../../../electron/contract/operations.ts'
import type { WriteReport } from '../../../electron/contract/api/writes.ts'
import { createCore, type Core } from '../../../electron/core/app.ts'
import type { Session } from '../../../electron/core/session.ts'
import type { Transport } from '../../../electron/core/platform.ts'
import { startDemonstration, type Demonstration } from '../../../electron/demo/demonstration.ts'
import type { FaultName } from '../../../electron/demo/faults.ts'
import { openChromiumTransport } from '../../../electron/main/chromium-transport.ts'
import { fakePlatform } from '../../fake-platform.ts'
import { FakeClock } from '../../fake-clock.ts'
import { aDeviceBehind, rebootRoom, runOne, updateOf } from '../../reboot-room.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { addOrganization, customDraft } from '../../add-organization.ts'

// Wherever the connection is interrupted, each write arrives at most once and is reported correctly.

const { createNet } = createRequire(import.meta.url)('../../electron-stand-in/net.cjs') as {
  createNet(sessionFor: (partition: string) => ElectronSession): {
    request(options: ClientRequestConstructorOptions): ClientRequest
  }
}

interface OpenTransport {
  readonly transport: Transport
  readonly close: () => Promise<void>
}

function overNode(): OpenTransport {
  const transport = openHttpTransport()
  return { transport, close: async () => transport.close() }
}

/** Chromium sends a POST again if its reused connection breaks; so does the stand-in. */
function overChromium(): OpenTransport {
  const sessions = new Map<string, ElectronSession>()
  const sessionFor = (partition: string) => {
    if (!sessions.has(partition))
      sessions.set(partition, {
        closeAllConnections: async () => undefined,
        setProxy: async () => undefined,
      } as unknown as ElectronSession)
    return sessions.get(partition)!
  }
  const { request } = createNet(sessionFor)
  return {
    transport: openChromiumTransport({ request, sessionFor }),
    close: async () => {
      for (const session of sessions.values()) await session.closeAllConnections()
    },
  }
}

const devicesPath = '/devices/api/devices'

/** A write of the program, and whether the service executed it. */
interface Write {
  readonly operation: OperationName
  readonly send: () => Promise<Pick<WriteReport, 'outcome' | 'failure' | 'journalId'>>
  readonly happened: () => Promise<boolean>
}

let home: TemporaryHome
let service: Demonstration
let clock: FakeClock
let core: Core
let wire: OpenTransport
/** Called at the moment when a write is passed to the transport. */
let whenSent: () => Promise<void>

const requested = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const answer = await fetch(service.managementUrl + path, {
    method,
    headers: {
      'Ocp-Apim-Subscription-Key': service.key,
      'api-version': '2',
      'Content-Type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`)
  return answer.json()
}

/** The program with its own running demonstration; both are closed when the test ends. */
async function openSession(open: () => OpenTransport): Promise<Session> {
  home = new TemporaryHome()
  clock = new FakeClock()
  service = await startDemonstration({ devices: 60, rooms: 12, now: () => clock.now() })
  whenSent = async () => undefined
  wire = open()
  const transport: Transport = {
    attempt: async (request) => {
      if (request.freshConnection) await whenSent()
      return wire.transport.attempt(request)
    },
  }
  core = await createCore(fakePlatform(home, { clock, transport, keyFromEnvironment: service.key }))
  onTestFinished(async () => {
    await core.close()
    await wire.close()
    await service.stop()
    await home.remove()
  })
  await addOrganization(core.handlers, service, {
    templates: {
      ...customDraft.templates,
      firmwareRead: `GET ${devicesPath}/{deviceId}/firmware`,
      firmwareUpdate: `POST ${devicesPath}/{deviceId}/firmware/{firmwareVersion}`,
    },
  })
  return core.sessions.current()
}

interface DeviceRecord {
  readonly id: string
  readonly groupId: string
  readonly productName: string
  readonly deviceConnectionStatus: string
  readonly firmwareVersion: string
}

const writes: readonly {
  readonly name: OperationName
  readonly of: (session: Session, device: DeviceRecord) => Promise<Write>
}[] = [
  {
    name: 'RebootRoom',
    of: async (_session, { id, groupId }) => ({
      operation: 'RebootRoom',
      send: () => rebootRoom(core.handlers.jobs, groupId),
      happened: async () => {
        service.advance(5_000)
        const room = (await requested('GET', `/meetingrooms/api/meetingrooms/${groupId}`)) as {
          devices: DeviceRecord[]
        }
        return room.devices.find((device) => device.id === id)?.deviceConnectionStatus === 'Rebooting'
      },
    }),
  },
  {
    name: 'UpdateDeviceSettings',
    of: async (session, { id }) => {
      const mode = async (): Promise<unknown> =>
        (
          (await requested('GET', `${devicesPath}/${id}/settings`)) as {
            settings: Record<string, { selected: unknown }>
          }
        ).settings['automaticZoomMode']?.selected
      const before = await mode()
      const value = before === 'fullScreen' ? 'intelligentZoom' : 'fullScreen'
      return {
        operation: 'UpdateDeviceSettings',
        send: () =>
          session.settings.update({
            deviceId: id,
            changes: [{ name: 'automaticZoomMode', value }],
            unlock: true,
            wait: false,
          }),
        happened: async () => (await mode()) === value,
      }
    },
  },
  {
    name: 'UpdateDeviceFirmware',
    of: async () => {
      await core.handlers.sync.run()
      const { id, version } = await aDeviceBehind(core.handlers)
      const read = async () =>
        (await requested('GET', `${devicesPath}/${id}/firmware`)) as { firmwareUpdateInProgress: boolean }
      return {
        operation: 'UpdateDeviceFirmware',
        send: () => runOne(core.handlers.jobs, updateOf(id, version)),
        happened: async () => (await read()).firmwareUpdateInProgress,
      }
    },
  },
]

const aCamera = async (): Promise<DeviceRecord> => {
  const { items } = (await requested('POST', devicesPath, {
    deviceClientType: 'MeetingRoom',
    pageSize: 60,
  })) as {
    items: readonly DeviceRecord[]
  }
  return items.find(
    (device) =>
      device.productName.startsWith('Jabra PanaCast 50') && device.deviceConnectionStatus === 'Online',
  )!
}

interface CutPoint {
  readonly name: string
  readonly begin: (operation: OperationName) => Promise<void>
  readonly end: () => Promise<void>
  readonly reported: { readonly outcome: WriteReport['outcome']; readonly kind: string }
  readonly happened: boolean
  /** The service's counts: by operation, and connections without a request. */
  readonly arrived: {
    readonly write: Readonly<Record<string, number>> | undefined
    readonly connection: Readonly<Record<string, number>> | undefined
  }
  /**
   * The result of an immediate second write to the device: it must wait for the minute, unless certainly
   * nothing arrived.
   */
  readonly again: WriteReport['outcome']
}

let listenAgain: () => Promise<void> = async () => undefined
const unconfirmed = { outcome: 'unconfirmed', kind: 'unconfirmed' } as const
const cut = (name: string, fault: FaultName, happened: boolean): CutPoint => ({
  name,
  // Only once, so that a repetition would succeed and be counted.
  begin: async (operation) =>
    service.faults.set({
      name: fault,
      rate: 1,
      times: 1,
      operation: fault === 'cut-after-connect' ? null : operation,
    }),
  end: async () => service.faults.clear(),
  reported: unconfirmed,
  happened,
  arrived:
    fault === 'cut-after-connect'
      ? { write: undefined, connection: { dropped: 1 } }
      : { write: { dropped: 1 }, connection: undefined },
  again: 'waiting',
})
const cutPoints: readonly CutPoint[] = [
  {
    name: 'before connecting',
    begin: async () => {
      listenAgain = await service.refuseConnections()
    },
    end: () => listenAgain(),
    reported: { outcome: 'refused', kind: 'offline' },
    happened: false,
    arrived: { write: undefined, connection: undefined },
    again: 'accepted',
  },
  cut('after connecting', 'cut-after-connect', false),
  cut('in the middle of the request', 'cut-mid-request', false),
  cut('after the request, before the response', 'cut-before-answer', true),
  cut('in the middle of the response', 'cut-mid-answer', true),
]

test('every operation that writes is interrupted here', async () => {
  expect(writes.map(({ name }) => name)).toEqual(
    operations.filter(({ effect }) => effect !== null).map(({ name }) => name),
  )
})

describe.each([
  ['over Node', overNode],
  ["over Electron's net.request (on the stand-in)", overChromium],
] as const)('%s', (_, open) => {
  describe.each(writes)('$name', ({ of }) => {
    test.each(cutPoints)(
      'interrupted $name arrives at most once and is reported correctly',
      async ({ begin, end, reported, happened, arrived, again }) => {
        const session = await openSession(open)
        const write = await of(session, await aCamera())
        whenSent = async () => {
          whenSent = async () => undefined
          await begin(write.operation)
        }
        const report = await write.send()
        await end()

        expect({ outcome: report.outcome, kind: report.failure?.kind }).toEqual(reported)
        expect(await write.happened()).toBe(happened)
        const journal = await core.handlers.journal.list({
          where: '',
          subjectId: null,
          start: 0,
          count: 10,
        })
        expect(journal.lines.map(({ id, operation, outcome }) => ({ id, operation, outcome }))).toEqual([
          { id: report.journalId, operation: write.operation, outcome: reported.outcome },
        ])

        // Nothing is sent again automatically, however long the wait.
        await clock.advance(50_000)
        await aCamera()
        const { arrivals } = service.counts()
        expect({ write: arrivals[write.operation], connection: arrivals['connection'] }).toEqual(arrived)

        // A technician who tries again at once after an unknown result cannot write twice in a minute.
        expect((await write.send()).outcome).toBe(again)
      },
    )
  })

  test.each(writes)('$name without interruption is accepted, and arrives once', async ({ of }) => {
    const session = await openSession(open)
    const write = await of(session, await aCamera())
    expect((await write.send()).outcome).toBe('accepted')
    expect([await write.happened(), Object.values(service.counts().arrivals[write.operation] ?? {})]).toEqual(
      [true, [1]],
    )
  })
})
