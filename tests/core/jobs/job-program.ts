import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { openDatabases } from '../../../electron/adapters/database.ts'
import { takeDataFolder } from '../../../electron/adapters/owner/data-folder.ts'
import { ownerWaits } from '../../../electron/adapters/owner/limits.ts'
import { openHttpTransport } from '../../../electron/adapters/http-transport.ts'
import type { PlanDevice } from '../../../electron/core/devices/devices.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import { openCallBudget } from '../../../electron/core/call-budget/call-budget.ts'
import type { ItemEnding, ItemToRun, ItemTools, JobWorker } from '../../../electron/core/jobs/job-work.ts'
import { openJobs } from '../../../electron/core/jobs/jobs.ts'
import { updateFirmwareWork } from '../../../electron/core/jobs/update-firmware-work.ts'
import { openJournal } from '../../../electron/core/journal/journal.ts'
import { openDeviceEndpoints } from '../../../electron/core/management/management.ts'
import { KnownKeys } from '../../../electron/core/organizations/known-keys.ts'
import { openManagementClient } from '../../../electron/core/service-client/service-client.ts'
import { openWorkbook } from '../../../electron/core/storage/workbook.ts'
import { openWrites, openWriteSlots } from '../../../electron/core/writes/writes.ts'
import { openUnconfirmedWrites } from '../../../electron/core/writes/unconfirmed-writes.ts'
import { clockAt } from '../writes/fast-clock.ts'
import { storeOrganization } from '../../stored-organization.ts'

// A program to be killed: it resumes the job that it finds, or begins one of this many items if all have
// ended. It opens, reports that, and begins on demand.
const [, , folder = '', url = '', count = '200', name = '', speed = '200', kind = 'rooms'] = process.argv
const clock = clockAt(Number(speed))
const tell = (word: string): void => void writeSync(1, `${word}\n`)
const log = {
  write: (level: string, message: string) => void (level === 'error' && tell(`error ${message}`)),
}
const newId = (): string => randomBytes(9).toString('hex')

const worker = (
  writes: ReturnType<typeof openWrites>,
  client: ReturnType<typeof openManagementClient>,
): JobWorker => ({
  plan: async (work) => ({
    items: (work.selection.kind === 'picked' ? work.selection.ids : []).map((id) => ({
      planned: {
        target: { of: 'room' as const, id, name: null },
        devices: [{ id: `device-${id}`, name: id, status: 'online' }],
        earliestAt: null,
        changes: [],
        skipped: null,
      },
      calls: 1,
      watchingAtMost: 0,
      memory: null,
    })),
    skipped: [],
    savedCalls: null,
  }),
  run: async (item, tools) => {
    try {
      return await sent(item, tools)
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      return {
        kind: 'again',
        at: null,
        waitsFor: error.failure.kind === 'writes-locked' ? 'locked' : 'device-minute',
        failure: error.failure,
      }
    }
    async function sent({ target, deviceIds }: ItemToRun, { write }: ItemTools): Promise<ItemEnding> {
      const path = `/rooms/${target.id}/reboot`
      const report = await writes.execute({
        operation: 'RebootRoom',
        target,
        deviceIds,
        before: null,
        after: null,
        send: (signal, beforeDispatch) =>
          client.send({
            operation: 'RebootRoom',
            method: 'POST',
            path,
            body: null,
            lane: 'write',
            writes: true,
            signal,
            beforeDispatch,
          }),
        ...write,
      })
      if (report.outcome === 'waiting')
        return { kind: 'again', at: report.earliestAt, waitsFor: 'device-minute', failure: null }
      const outcome =
        report.outcome === 'accepted' ? 'done' : report.outcome === 'unconfirmed' ? 'unknown' : 'failed'
      return { kind: 'ended', outcome, detail: null, failure: report.failure, journalId: report.journalId }
    }
  },
  resume: async () => ({ kind: 'ended', outcome: 'done', detail: null, failure: null, journalId: null }),
  check: async () => null,
})

tell('loaded')
await once(process.stdin, 'data')
for (let hasWaited = false; (await takeDataFolder(folder, ownerWaits)).kind !== 'owned'; hasWaited = true) {
  if (!hasWaited) tell('waits')
  await wait(10)
}
const databases = openDatabases({
  folder,
  workerUrl: new URL('../../../electron/adapters/database-worker.ts', import.meta.url),
})
const workbook = await openWorkbook({ clock, databases, log })
await workbook.write((transaction) => {
  if (transaction.first('SELECT 1 FROM organization') === undefined) storeOrganization(transaction, 'org')
})
const journal = openJournal({ workbook, clock, who: name })
const slots = openWriteSlots(clock)
await openUnconfirmedWrites({ workbook, clock, journal, slots, log, changed: () => undefined })
const writes = openWrites({
  clock,
  log,
  slots,
  journal,
  storageProblem: () => null,
  organization: { id: 'org', name: 'Nordlys' },
})
const budget = await openCallBudget({ clock, random: () => 0, history: null })
const keys = {
  inUse: async () => ({ slot: 'primary' as const, key: 'a-key-of-this-test' }),
  mayBeSent: () => true,
  refused: async () => 'stop' as const,
  accepted: () => undefined,
  scrubber: new KnownKeys(),
}
const client = openManagementClient({
  transport: openHttpTransport(),
  budget,
  clock,
  random: () => 1,
  baseUrl: url,
  apiVersion: 2,
  keys,
})
const rooms = worker(writes, client)
const templates = {
  deviceSettings: null,
  updateDeviceSettings: null,
  devicesWithSettings: null,
  firmwareRead: 'GET /devices/{deviceId}',
  firmwareUpdate: 'POST /devices/{deviceId}/{firmwareVersion}',
}
const product = { productId: 9395, variantType: '01', firmwareVersion: '1.0.0', gone: false }
const rule = {
  name: 'Jabra Evolve2 85',
  releases: [{ version: '2.0.0', revoked: false, latest: true }],
  observedAt: 0,
  downgradeAllowed: false,
  approved: () => null,
}
/** The worker of the program; data of devices and releases is the same for all. */
const firmware = updateFirmwareWork({
  organizationId: 'org',
  vendorId: 2830,
  clock,
  writes,
  rooms: { selected: async () => ({ rooms: [], unknown: [] }) },
  client,
  reported: async () => undefined,
  devices: {
    forPlan: async (_, selection) => {
      const ids = selection.kind === 'picked' ? selection.ids : []
      const rows = ids.map((id) => ({ ...product, id, name: id, status: 'online' }))
      const batches = async function* (): AsyncIterable<readonly PlanDevice[]> {
        yield rows
      }
      return { total: ids.length, batches: batches() }
    },
  },
  ruleOf: async () => rule,
  ruleNow: async () => rule,
  endpointsOver: (through) => openDeviceEndpoints({ client: through, templates, host: 'fake' }),
})
const jobs = openJobs({
  organizationId: 'org',
  organizationName: () => 'Nordlys',
  workbook,
  who: name,
  writes,
  budget,
  clock,
  newId,
  log,
  workers: { 'reboot-rooms': rooms, 'change-settings': rooms, 'update-firmware': firmware },
  connection: { state: () => 'online', onChange: () => () => undefined },
  timeZone: async () => 'UTC',
  zonesOf: async () => new Map(),
})

for (;;) {
  const [newest] = (await jobs.list({ start: 0, count: 1 })).jobs
  let id = newest?.id
  if (newest === undefined || id === undefined || newest.state === 'ended') {
    const ids = Array.from({ length: Number(count) }, (_, index) => `${newId()}-${index}`)
    const plan = await jobs.plan({
      work:
        kind === 'rooms'
          ? { kind: 'reboot-rooms', of: 'rooms', selection: { kind: 'picked', ids } }
          : {
              kind: 'update-firmware',
              selection: { kind: 'picked', ids },
              version: 'latest',
              allowDowngrade: false,
              watchForInMinutes: 10,
            },
      startAt: null,
      window: null,
      keepTrying: false,
      canary: false,
    })
    id = (await jobs.start({ plan: plan.id, unlock: true, typed: plan.typeNumber })).id
    tell('started')
  } else {
    await jobs.resume({ id: newest.id, unlock: true })
    tell('resumed')
  }
  while ((await jobs.get(id)).state !== 'ended')
    await new Promise<void>((resolve) => void clock.after(2_000, resolve))
  tell('ended')
}
