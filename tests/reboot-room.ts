import type { DeviceRow } from '../electron/contract/api/devices.ts'
import type { JobDraft, JobItem, JobWork } from '../electron/contract/api/jobs.ts'
import type { WriteReport } from '../electron/contract/api/writes.ts'
import type { Handlers } from '../electron/contract/rpc-client.ts'
import { compareVersions } from '../electron/core/lists/version-order.ts'

const now = (work: JobWork): JobDraft => ({
  work,
  startAt: null,
  window: null,
  keepTrying: false,
  canary: false,
})

/** The job of one room. `id`: its own, or a group id. */
export const rebootOf = (id: string): JobDraft =>
  now({ kind: 'reboot-rooms', of: 'rooms', selection: { kind: 'picked', ids: [id] } })

/** The demonstration's own addresses: they are unpublished. */
export const firmwareAddresses = {
  firmwareRead: 'GET /devices/api/devices/{deviceId}/firmware',
  firmwareUpdate: 'POST /devices/api/devices/{deviceId}/firmware/{firmwareVersion}',
}

/** The job of one device. */
export const updateOf = (id: string, version: string): JobDraft =>
  now({
    kind: 'update-firmware',
    selection: { kind: 'picked', ids: [id] },
    version,
    allowDowngrade: true,
    watchForInMinutes: 30,
  })

/** An online device that is behind its latest release, and that release; both are already cached. */
export async function aDeviceBehind(
  handlers: {
    readonly devices: Pick<Handlers<'devices'>, 'slice'>
    readonly firmware: Pick<Handlers<'firmware'>, 'releases'>
  },
  appliesTo: (device: DeviceRow) => boolean = () => true,
): Promise<{ readonly id: string; readonly from: string; readonly version: string }> {
  const sort = [{ column: 'name', descending: false }] as const
  const all = { where: 'status:online', sort, start: 0, count: 500 } as const
  for (const { id, productId, firmwareVersion } of (await handlers.devices.slice(all)).rows.filter(
    appliesTo,
  )) {
    if (productId === null || firmwareVersion === null) continue
    const { releases } = await handlers.firmware.releases({ vendorId: 2830, productId })
    const version = releases.find(({ latest }) => latest)?.version ?? null
    if (version !== null && compareVersions(firmwareVersion, version) < 0)
      return { id, from: firmwareVersion, version }
  }
  throw new Error('No device is behind')
}

type Asked = Pick<Handlers<'jobs'>, 'plan' | 'planned' | 'start' | 'items'>

/** Reboots one room as every client does. */
export const rebootRoom = (jobs: Asked, id: string, unlock = true): Promise<WriteReport> =>
  runOne(jobs, rebootOf(id), unlock)

/**
 * Starts a job of one item. Resolves when the service has responded, or when the item is known to wait for
 * its minute. The watch continues. Rejects with Failed if nothing was begun.
 */
export async function runOne(jobs: Asked, draft: JobDraft, unlock = true): Promise<WriteReport> {
  const plan = await jobs.plan(draft)
  const job = await jobs.start({ plan: plan.id, unlock, typed: plan.typeNumber })
  for (;;) {
    const [item] = (await jobs.items({ id: job.id, show: null, start: 0, count: 1 })).items
    const report = item === undefined ? null : reportOf(item)
    if (report !== null) return report
    await new Promise<void>((resolve) => void setImmediate(resolve))
  }
}

function reportOf({ state, outcome, failure, earliestAt, journalId }: JobItem): WriteReport | null {
  const report = (ended: WriteReport['outcome']): WriteReport => ({
    outcome: ended,
    failure,
    earliestAt,
    journalId,
  })
  if (state === 'watching' || outcome === 'done') return report('accepted')
  if (state === 'ended') return report(outcome === 'unknown' ? 'unconfirmed' : 'refused')
  return state === 'queued' && earliestAt !== null ? report('waiting') : null
}
