import type { DeviceSelection } from '../../contract/api/devices.ts'
import type { FirmwareRefusal, JobWork, PlannedItem, SkipReason } from '../../contract/api/jobs.ts'
import type { Room } from '../../contract/api/rooms.ts'
import { Failed, failedWith, isCancelled, isKind } from '../../contract/failure.ts'
import { isProductId } from '../../contract/firmware.ts'
import type { Json } from '../../contract/json.ts'
import type { Devices, PlanDevice } from '../devices/devices.ts'
import { judgedUpdate, type UpdateRule } from '../firmware/firmware.ts'
import {
  otherThanAsked,
  parseFirmware,
  type DeviceEndpoints,
  type ParsedFirmware,
} from '../management/management.ts'
import type { Clock } from '../platform.ts'
import type { Rooms } from '../rooms/rooms.ts'
import type { Lane } from '../call-budget/call-budget.ts'
import type { ServiceClient } from '../service-client/service-client.ts'
import type { RunningTask } from '../tasks.ts'
import type { Writes } from '../writes/writes.ts'
import {
  countedClient,
  selectedDevices,
  ended,
  endingOfWrite,
  endingWith,
  waiting,
  type ItemEnding,
  type ItemToRun,
  type ItemTools,
  type JobWorker,
  type ProductOfWork,
  type WorkItem,
  type WorkPlan,
} from './job-work.ts'
import { isSameVersion } from '../lists/version-order.ts'
import { looksWithin, watchFirmware } from './firmware-watch.ts'
import { ReleaseQuestions } from './release-questions.ts'
import { plannedDevice } from './settings-plan.ts'

export type UpdateFirmware = Extract<JobWork, { kind: 'update-firmware' }>

export interface UpdateFirmwareDeps {
  readonly organizationId: string
  /** The organization's vendor: devices report none (services.md#A40). */
  readonly vendorId: number
  readonly clock: Clock
  readonly devices: Pick<Devices, 'forPlan'>
  readonly rooms: Pick<Rooms, 'selected'>
  /** From stored data where it is fresh. Rejects with Failed if the releases of a product cannot be read. */
  readonly ruleOf: (productId: number) => Promise<UpdateRule>
  /** After asking the service. Rejects with Failed, `releases-unread` if it did not answer. */
  readonly ruleNow: (productId: number, signal: AbortSignal) => Promise<UpdateRule>
  readonly writes: Pick<Writes, 'execute' | 'earliest'>
  /** Stores it for lists. Does not reject with Failed. */
  readonly reported: (deviceId: string, version: string, at: number) => Promise<void>
  readonly client: ServiceClient
  /** The profile's endpoints through a client: each item counts its own calls. */
  readonly endpointsOver: (client: ServiceClient) => DeviceEndpoints
}

/** The data of a device that the plan displayed. */
interface UpdateMemory {
  readonly version: string
  /** The version that the plan displayed; null: not known. */
  readonly from?: string | null
  readonly productId: number
  readonly variantType: string | null
  /** The version was chosen because it was approved; missing: for another reason. */
  readonly approved?: boolean
}

/** A product while its devices are collected. */
interface CollectedProduct extends Omit<ProductOfWork, 'deviceIds' | 'from'> {
  readonly deviceIds: string[]
  /** Devices by the version they run. */
  readonly versions: Map<string | null, number>
}

/** Reading the installed version, and the one write. */
const callsOfItem = 2

/**
 * Updates firmware: each device's version is read again and compared, one request is sent, and the device is
 * watched until it reports the version.
 */
export function updateFirmwareWork(deps: UpdateFirmwareDeps): JobWorker<UpdateFirmware> {
  const { organizationId, clock, devices, writes } = deps
  const questions = new ReleaseQuestions(clock, deps.ruleNow)

  const workOf = ({ work }: ItemToRun): UpdateFirmware => {
    if (work.kind !== 'update-firmware') throw new Error(`An item of ${work.kind} does not update firmware`)
    return work
  }

  /** null: its releases cannot be read now. */
  const ruleOrNull = async (productId: number | null): Promise<UpdateRule | null> => {
    if (productId === null || !isProductId(productId)) return null
    try {
      return await deps.ruleOf(productId)
    } catch (error) {
      if (error instanceof Failed && !isCancelled(error) && !failedWith(error, 'cache-unusable')) return null
      throw error
    }
  }

  const look = async (
    item: ItemToRun,
    tools: Pick<ItemTools, 'called' | 'signal'>,
    { lane, once }: { readonly lane: Lane; readonly once: boolean },
  ): Promise<ParsedFirmware & { readonly other: string | null }> => {
    const endpoints = deps.endpointsOver(countedClient(deps.client, () => tools.called(), once))
    const answer = await endpoints.firmware({ deviceId: item.target.id, lane, signal: tools.signal })
    const { productId } = memoryOf(item.memory)
    const other = otherThanAsked(answer.json, { deviceId: item.target.id, productId })
    // The version of another device says nothing about this one.
    if (other !== null) return { version: null, updating: null, other }
    const reading = parseFirmware(answer.json)
    if (reading.version !== null) await deps.reported(item.target.id, reading.version, answer.receivedAt)
    return { ...reading, other }
  }

  const watched = async (
    item: ItemToRun,
    tools: ItemTools,
    since: {
      readonly sentAt: number | null
      readonly fromTheStart: boolean
      readonly journalId: number | null
    },
  ): Promise<ItemEnding> => {
    const { version } = memoryOf(item.memory)
    const seen = await watchFirmware({
      clock,
      version,
      signal: tools.signal,
      sentAt: since.sentAt,
      fromTheStart: since.fromTheStart,
      forInMs: workOf(item).watchForInMinutes * 60_000,
      look: () => look(item, tools, { lane: 'bulk', once: true }),
    })
    switch (seen.kind) {
      case 'verified':
      case 'not-watched':
        return ended('done', seen.kind, null, since.journalId)
      case 'not-reported':
        // The update may still happen: it does not count as done and is not sent again.
        return ended('unknown', seen.kind, null, since.journalId)
      case 'kept': {
        const message = `The service accepted the update to ${version}, but the device still reports ${seen.version}.`
        return ended('failed', null, { kind: 'invalid', field: 'firmware', message }, since.journalId)
      }
    }
  }

  const run = async (item: ItemToRun, tools: ItemTools): Promise<ItemEnding> => {
    const deviceId = item.target.id
    // Before the device is read again, so that waiting costs no calls.
    const earliestAt = writes.earliest([deviceId])
    if (earliestAt !== null) return waiting(earliestAt)
    const memory = memoryOf(item.memory)
    const { version, variantType } = memory
    const unsent = AbortSignal.any([tools.signal, tools.write.signal])
    // The version may have been revoked since the plan: it is not sent on the word of a stored list.
    const list = await questions.rule(memory.productId, tools.since, unsent)
    if (list.kind === 'unread')
      return { kind: 'again', at: list.again, waitsFor: 'releases', failure: list.failure }
    const now = await look(
      item,
      { called: () => tools.called(), signal: unsent },
      { lane: 'write', once: false },
    )
    if (now.other !== null) return conflict(`${now.other} The update to ${version} was not sent.`)
    if (isSameVersion(now.version, version)) return ended('done', 'as-wanted')
    const { allowDowngrade } = workOf(item)
    // The same check as in the plan, by the list and the report of now.
    const { refusal } = judgedUpdate(
      list.rule,
      { firmwareVersion: now.version, variantType },
      { version, allowDowngrade },
    )
    if (refusal !== null && refusal !== 'as-wanted')
      return conflict(refusals[refusal](list.rule.name, version, now.version ?? 'no version'))
    if (memory.approved === true && !isSameVersion(list.rule.approved(variantType), version))
      return conflict(`Version ${version} of ${list.rule.name} is no longer approved. Nothing was sent.`)
    const client = countedClient(deps.client, () => tools.called())
    const report = await writes.execute({
      ...tools.write,
      operation: 'UpdateDeviceFirmware',
      target: { of: 'device', id: deviceId, name: item.target.name },
      deviceIds: [deviceId],
      before: now.version,
      after: version,
      send: deps.endpointsOver(client).firmwareUpdate(deviceId, version),
    })
    const ending = endingOfWrite(report)
    if (ending !== null) return ending
    const sentAt = clock.now()
    await tools.accepted('watching', report.journalId)
    return watched(item, tools, { sentAt, fromTheStart: true, journalId: report.journalId })
  }

  return {
    async plan(work, task): Promise<WorkPlan> {
      const endpoints = deps.endpointsOver(deps.client)
      // Nothing is sent: a wrong template is reported before anything is read.
      endpoints.firmwareUpdate('device', 'version')
      mustReadVersions(endpoints)
      const { selection, left } = work.of === 'rooms' ? await inRooms(work.selection) : { ...work, left: [] }
      const known = await selectedDevices(devices, organizationId, selection, task)
      const found = new Set(known.map(({ id }) => id))
      const named = selection.kind === 'picked' ? [...new Set(selection.ids)] : []
      const unknown = named
        .filter((id) => !found.has(id))
        .map((id) => ({ ...plannedDevice({ id, name: id, status: 'unknown' }, [], 'gone'), devices: [] }))
      const { items, skipped, products } = await judgedDevices(known, work, task)
      return {
        items: items.map((item) => ({
          ...item,
          planned: { ...item.planned, earliestAt: writes.earliest([item.planned.target.id]) },
        })),
        skipped: [...skipped, ...unknown, ...left],
        savedCalls: null,
        products,
      }
    },

    run: (item, tools) => endingWith(() => run(item, tools)),

    resume: (item, tools) =>
      watched(item, tools, { sentAt: item.sentAt, fromTheStart: false, journalId: null }),

    async check(item, tools) {
      const { version } = await look(item, tools, { lane: 'interactive', once: true })
      return isSameVersion(version, memoryOf(item.memory).version) ? ended('done', 'verified') : null
    },
  }

  /** The devices of rooms, and the rooms without any that is known. */
  async function inRooms(selection: DeviceSelection): Promise<{
    readonly selection: DeviceSelection
    readonly left: readonly PlannedItem[]
  }> {
    const { rooms, unknown } = await deps.rooms.selected(organizationId, selection)
    const leave = (room: Pick<Room, 'id' | 'name'>, reason: SkipReason): PlannedItem => ({
      target: { of: 'room', id: room.id, name: room.name },
      devices: [],
      earliestAt: null,
      changes: [],
      skipped: reason,
    })
    const there = rooms.filter(({ gone, devices: members }) => !gone && members !== null)
    return {
      selection: {
        kind: 'picked',
        ids: there.flatMap(({ devices: members }) => members?.map(({ id }) => id) ?? []),
      },
      left: [
        ...rooms
          .filter((room) => !there.includes(room))
          .map((room) => leave(room, room.gone ? 'gone' : 'members-unknown')),
        ...unknown.map((id) => leave({ id, name: null }, 'gone')),
      ],
    }
  }

  async function judgedDevices(
    known: readonly PlanDevice[],
    work: UpdateFirmware,
    task: RunningTask,
  ): Promise<{
    readonly items: readonly WorkItem[]
    readonly skipped: readonly PlannedItem[]
    readonly products: Required<WorkPlan>['products']
  }> {
    const productIds = [...new Set(known.flatMap((one) => (one.gone ? [] : [one.productId])))]
    let read = 0
    const rules = new Map(
      await Promise.all(
        productIds.map(async (productId) => {
          const rule = await ruleOrNull(productId)
          task.step('comparing', ++read, productIds.length)
          return [productId, rule === null ? null : { rule, judge: judgeOf(rule, work) }] as const
        }),
      ),
    )
    const items: WorkItem[] = []
    const skipped: PlannedItem[] = []
    const products = new Map<string, CollectedProduct>()
    for (const device of known) {
      const { productId, firmwareVersion, variantType } = device
      if (device.gone) {
        skipped.push(plannedDevice(device, [], 'gone'))
        continue
      }
      const found = rules.get(productId) ?? null
      if (found === null || productId === null) {
        skipped.push(
          plannedDevice(device, [changeOf(firmwareVersion, work.version, false)], 'releases-unknown'),
        )
        continue
      }
      const { rule } = found
      const { version, refusal } = found.judge(device)
      const changes = [changeOf(firmwareVersion, version, refusal === null)]
      const left = refusal ?? (work.withoutOffline === true && device.status === 'offline' ? 'offline' : null)
      if (left !== null) {
        skipped.push(plannedDevice(device, changes, left))
        continue
      }
      items.push({
        planned: plannedDevice(device, changes, null),
        calls: callsOfItem,
        watchingAtMost: looksWithin(work.watchForInMinutes * 60_000),
        memory: {
          version,
          from: firmwareVersion,
          productId,
          variantType,
          approved:
            work.version === 'approved' ||
            (work.version === 'advised' && rule.approved(variantType) !== null),
        },
      })
      const key = `${productId} ${version}`
      const product: CollectedProduct = products.get(key) ?? {
        vendorId: deps.vendorId,
        productId,
        name: rule.name,
        version,
        listedAt: rule.observedAt,
        deviceIds: [],
        versions: new Map(),
      }
      product.deviceIds.push(device.id)
      product.versions.set(firmwareVersion, (product.versions.get(firmwareVersion) ?? 0) + 1)
      products.set(key, product)
    }
    return {
      // One that is offline would keep the others waiting when it is tried first.
      items: items.sort((a, b) => Number(isOnline(b)) - Number(isOnline(a))),
      skipped,
      products: [...products.values()]
        .map(({ versions, ...product }) => ({
          ...product,
          from: [...versions]
            .map(([version, count]) => ({ version, devices: count }))
            .sort((a, b) => b.devices - a.devices),
        }))
        .sort((a, b) => a.name.localeCompare(b.name, 'en')),
    }
  }
}

/** Throws Failed `not-found` if the profile has no address for the installed version. */
function mustReadVersions(endpoints: DeviceEndpoints): void {
  try {
    endpoints.mustBeKnown('firmwareRead')
  } catch (error) {
    if (!(error instanceof Failed) || !isKind(error.failure, 'not-found')) throw error
    const what = `${error.failure.what}, which an update needs to read the installed version before and after it`
    throw new Failed({ ...error.failure, what })
  }
}

/** `judgedUpdate`, asked once for all devices of a variant that run the same version. */
function judgeOf(
  rule: UpdateRule,
  work: UpdateFirmware,
): (device: Pick<PlanDevice, 'firmwareVersion' | 'variantType'>) => ReturnType<typeof judgedUpdate> {
  const judged = new Map<string, ReturnType<typeof judgedUpdate>>()
  return (device) => {
    const key = JSON.stringify([device.variantType, device.firmwareVersion])
    const answer = judged.get(key) ?? judgedUpdate(rule, device, work)
    judged.set(key, answer)
    return answer
  }
}

const refusals: Readonly<Record<FirmwareRefusal, (product: string, version: string, now: string) => string>> =
  {
    'no-release': (product, version) =>
      `Version ${version} of ${product} is no longer published. Nothing was sent.`,
    revoked: (product, version) => `Version ${version} of ${product} was revoked. Nothing was sent.`,
    'no-downgrade': (_, version, now) =>
      `The device reports ${now}, which is newer than ${version}, and the catalogue does not allow a downgrade. Nothing was sent.`,
    downgrade: (_, version, now) =>
      `The device reports ${now}, which is newer than ${version}, and a downgrade was not confirmed. Nothing was sent.`,
    'version-unknown': (_, version, now) =>
      `The device reports ${now}, so ${version} may be a downgrade, which was not confirmed. Nothing was sent.`,
    'releases-unknown': (product) => `The releases of ${product} could not be read. Nothing was sent.`,
  }

const isOnline = ({ planned }: WorkItem): boolean => planned.devices[0]?.status === 'online'

const conflict = (message: string): ItemEnding =>
  ended('failed', 'conflict', { kind: 'invalid', field: 'firmware', message })

const changeOf = (now: string | null, version: string, allowed: boolean): PlannedItem['changes'][number] => ({
  name: 'firmwareVersion',
  now,
  new: version,
  allowed,
  reason: null,
  restarts: null,
})

const memoryOf = (memory: Json): UpdateMemory => memory as unknown as UpdateMemory
