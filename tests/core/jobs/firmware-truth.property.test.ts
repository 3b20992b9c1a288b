import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Failed, type Failure } from '../../../electron/contract/failure.ts'
import type { DeviceRow } from '../../../electron/contract/api/devices.ts'
import type { Json } from '../../../electron/contract/json.ts'
import { fetchRuleNow, fetchUpdateRule, openFirmware } from '../../../electron/core/firmware/firmware.ts'
import { updateFirmwareWork } from '../../../electron/core/jobs/update-firmware-work.ts'
import type { JobWorker } from '../../../electron/core/jobs/job-work.ts'
import { openDeviceEndpoints } from '../../../electron/core/management/management.ts'
import type { ServiceClient, ServiceResponse } from '../../../electron/core/service-client/service-client.ts'
import { settle } from '../../fake-clock.ts'
import { cases } from '../../setup/cases.ts'
import { metadataRig } from '../metadata/fake-metadata-service.ts'
import { firmwareAddresses } from '../../reboot-room.ts'
import { AHome, AProgram } from './a-bench.ts'

const minute = 60_000
const [from, wanted] = ['1.0.0', '2.0.0'] as const
/** The last one publishes no list of its own: a bundle names it. */
const products = [101, 102, 103] as const
type ProductId = (typeof products)[number]
const bundled: ProductId = 103
const ofProduct = { variantType: '01-01' }

const call = { operation: 'x', host: 'h' }
const failures: readonly Failure[] = [
  { kind: 'service-unavailable', call, status: 500, message: null },
  { kind: 'offline', call, message: 'ECONNRESET' },
  { kind: 'timed-out', call, afterInMs: 60_000 },
  { kind: 'rate-limited', call, untilAt: null },
  { kind: 'unreadable-answer', call, where: 'body', message: 'cut' },
]

const notPublished = 'not-published'
/** What the service says about the releases of a product; `notPublished`: 404. */
type Answer = Json | Failure
const releases = {
  permits: [
    [{ version: wanted }, { version: from }],
    [{ version: '3.0.0' }, { version: wanted }, { version: from }],
    [null, { version: wanted, ...ofProduct }, { version: from, revoked: true }],
  ],
  revokes: [
    [{ version: wanted, revoked: true }, { version: from }],
    [
      { version: wanted, md5: 'aa' },
      { version: wanted, md5: 'aa', revoked: true },
    ],
  ],
  drops: [[{ version: from }], [], notPublished],
  lies: [
    [{ version: wanted, productId: 999 }],
    [{ version: wanted, variantType: '99-99' }],
    '<html>sign in</html>',
    null,
    {},
    { releases: 'soon' },
  ],
  breaks: failures,
} satisfies Record<string, readonly Answer[]>
type Says = keyof typeof releases
const says = Object.keys(releases) as Says[]

interface Happening {
  /** Before this read of a device is answered; 0: before the job starts. */
  readonly atRead: number
  readonly what:
    | { readonly kind: 'says'; readonly product: ProductId; readonly says: Says; readonly form: number }
    | { readonly kind: 'approval'; readonly is: boolean }
    | { readonly kind: 'pause'; readonly forInMinutes: number }
}
/** `late`: the service lets it be asked 16 minutes later. */
const kinds = ['healthy', 'late', 'as wanted', 'another device', 'another product', 'not found'] as const
interface UpdateJob {
  readonly devices: readonly { readonly product: ProductId; readonly kind: (typeof kinds)[number] }[]
  readonly version: 'approved' | 'latest' | typeof wanted
  readonly canary: boolean
  readonly happenings: readonly Happening[]
}
const updateJobs: fc.Arbitrary<UpdateJob> = fc.record({
  devices: fc.array(
    fc.record({
      product: fc.constantFrom(...products),
      kind: fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom<'healthy' | 'late'>('healthy', 'healthy', 'late') },
        { weight: 2, arbitrary: fc.constantFrom(...kinds) },
      ),
    }),
    { minLength: 3, maxLength: 12 },
  ),
  version: fc.constantFrom('approved', 'latest', wanted),
  canary: fc.boolean(),
  happenings: fc.array(
    fc.record({
      atRead: fc.nat(12),
      what: fc.oneof(
        {
          weight: 6,
          arbitrary: fc.record({
            kind: fc.constant('says' as const),
            product: fc.constantFrom(...products),
            says: fc.constantFrom(...says),
            form: fc.nat(5),
          }),
        },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('approval' as const), is: fc.boolean() }) },
        {
          weight: 3,
          arbitrary: fc.record({
            kind: fc.constant('pause' as const),
            forInMinutes: fc.constantFrom(0, 1, 20),
          }),
        },
      ),
    }),
    { maxLength: 7 },
  ),
})

/** A question that the service answered: what it said is the truth by which a write is judged. */
interface Asked {
  readonly product: ProductId
  readonly at: number
  readonly says: Says
  /** As read after the list. */
  approved: boolean
}

/** A service, one job, and what happened in their order. */
class World {
  readonly asked: Asked[] = []
  readonly reads: { readonly id: string; readonly at: number }[] = []
  readonly writes: { readonly id: string; readonly at: number; readonly due: number }[] = []
  /** Since when the answers for a product count: a start, a resume, a canary that reported its version. */
  readonly due = new Map<ProductId, number>()
  pauseFor: number | null = null
  readonly #canaries = new Map<ProductId, string | null>()
  approved = true
  readonly #rig = metadataRig()
  readonly #answers = new Map<ProductId, { says: Says; answer: Answer }>()
  readonly clock = this.#rig.clock
  readonly #job: UpdateJob
  program!: AProgram
  home!: AHome

  constructor(job: UpdateJob) {
    this.#job = job
    const { service } = this.#rig
    service.set('/product-group-bundles/bundles', {
      bundles: [],
      unbundledProducts: products.map((productId) => ({
        productName: `Product ${productId}`,
        variants: [{ vendorId: 2830, productId, ...ofProduct }],
      })),
    })
    const answering = (path: string, answer: () => Answer): void => {
      service.documents.set(path, ({ path: asked }) => {
        const json = answer()
        if (json === notPublished) return { failure: { kind: 'not-found', call, what: asked } }
        const failure = failures.find((one) => one === json)
        return failure === undefined
          ? { json: json as Json, headers: { etag: JSON.stringify(json) } }
          : { failure }
      })
    }
    /** One question reads several documents, which agree with each other. */
    let inBundles: { says: Says; answer: Answer } = { says: 'permits', answer: null }
    for (const product of products) {
      this.says(product, 'permits', 0)
      answering(`/vendors/2830/products/${product}/firmware-releases`, () => {
        const now = this.#answers.get(product)!
        this.asked.push({ product, at: this.clock.monotonic(), says: now.says, approved: this.approved })
        if (product !== bundled) return now.answer
        inBundles = now
        return notPublished
      })
    }
    const list = '/vendors/products/firmware-bundles'
    const listed = [{ firmwareBundleGroupId: 'g', firmwareBundleVersion: '1.0.0' }]
    const member = (version: string) => ({ vendorId: 2830, productId: bundled, firmwareVersion: version })
    const bundle = (...members: readonly Json[]) => [{ ...listed[0], products: members }]
    answering(list, () => {
      const { says: said, answer } = inBundles
      return said === 'breaks' ? answer : said === 'drops' ? [] : listed
    })
    answering(`${list}/g/versions/1.0.0`, () => {
      if (inBundles.says === 'permits') return bundle(member(wanted))
      if (inBundles.says === 'revokes') return bundle(member(from))
      return [{ firmwareBundleGroupId: 'h', firmwareBundleVersion: '9', products: [member(wanted)] }]
    })
  }

  says(product: ProductId, said: Says, form: number): void {
    const answers = releases[said] as readonly Answer[]
    this.#answers.set(product, { says: said, answer: answers[form % answers.length]! })
  }

  async start(): Promise<string> {
    this.home = await AHome.open()
    const metadata = this.#rig.start()
    const approvals = {
      decisions: async () => {
        const decision = this.approved
          ? { kind: 'valid' as const, version: wanted }
          : { kind: 'none' as const }
        const of = ({ productId }: { readonly productId: number }) => {
          const asked = this.asked.findLast(({ product }) => product === productId)
          if (asked !== undefined) asked.approved = decision.kind === 'valid'
          return decision
        }
        return { comparesWith: 'approved' as const, of }
      },
    } as never
    const firmware = openFirmware({
      clock: this.clock,
      metadata,
      deviceCounts: async () => new Map(),
      vendorId: 2830,
      assumedBuildTypes: ['Release'],
    })
    const parts = { firmware, metadata, approvals }
    // The worker needs the program's writes.
    const late: { worker: JobWorker | null } = { worker: null }
    this.program = new AProgram(this.home, {
      clock: this.clock,
      worker: {
        plan: (...given) => late.worker!.plan(...given),
        run: (...given) => late.worker!.run(...given),
        resume: (...given) => late.worker!.resume(...given),
      },
    })
    const client = this.#devices()
    const rows = this.#job.devices.map(({ product }, at) => rowOf(`d${at}`, product))
    late.worker = updateFirmwareWork({
      organizationId: 'org',
      vendorId: 2830,
      clock: this.program.own,
      rooms: { selected: async () => ({ rooms: [], unknown: [] }) },
      devices: {
        forPlan: async () => ({
          total: rows.length,
          batches: (async function* () {
            yield rows
          })(),
        }),
      },
      ruleOf: (productId) => fetchUpdateRule(parts, { vendorId: 2830, productId }),
      ruleNow: (productId, signal) => fetchRuleNow(parts, { vendorId: 2830, productId }, signal),
      writes: this.program.writes,
      reported: async () => undefined,
      client,
      endpointsOver: (over) =>
        openDeviceEndpoints({ client: over, templates: firmwareAddresses as never, host: 'h' }),
    })
    const { id, typeNumber } = await this.program.jobs.plan({
      work: {
        kind: 'update-firmware',
        selection: { kind: 'picked', ids: rows.map(({ id: device }) => device) },
        version: this.#job.version,
        allowDowngrade: false,
        watchForInMinutes: 10,
      },
      startAt: null,
      window: null,
      keepTrying: false,
      canary: this.#job.canary,
    })
    await this.clock.advance(20 * minute)
    this.asked.length = 0
    this.#happens()
    this.#isDue()
    return (await this.program.jobs.start({ plan: id, unlock: true, typed: typeNumber })).id
  }

  async resume(id: string): Promise<void> {
    this.#isDue()
    await this.program.jobs.resume({ id, unlock: true })
  }

  #isDue(): void {
    for (const product of products) this.due.set(product, this.clock.monotonic())
  }

  /** Devices that install what they are sent within a minute. */
  #devices(): ServiceClient {
    const installs = new Map<string, number>()
    return {
      send: async ({ path, writes, beforeDispatch }): Promise<ServiceResponse> => {
        await beforeDispatch?.()
        const id = path.split('/').find((part) => /^d\d+$/.test(part))!
        const { product, kind } = this.#job.devices[Number(id.slice(1))]!
        const at = this.clock.monotonic()
        // One that has the version tries nothing, so the next one of its product is the canary.
        if (this.#job.canary && kind !== 'as wanted' && !this.#canaries.has(product))
          this.#canaries.set(product, id)
        if (kind === 'not found') throw new Failed({ kind: 'not-found', call, what: path })
        if (writes) {
          this.writes.push({ id, at, due: this.due.get(product)! })
          installs.set(id, at + minute)
        } else {
          this.reads.push({ id, at })
          this.#happens()
        }
        if (kind === 'late' && this.reads.filter((read) => read.id === id).length === 1)
          throw new Failed({ kind: 'rate-limited', call, untilAt: this.clock.now() + 16 * minute })
        const hasInstalled = (installs.get(id) ?? Infinity) <= at
        if (hasInstalled && this.#canaries.get(product) === id) {
          this.#canaries.set(product, null)
          this.due.set(product, at)
        }
        const isInstalled = hasInstalled || kind === 'as wanted'
        const json = {
          firmwareVersion: isInstalled ? wanted : from,
          ...(kind === 'another device' && { deviceId: 'somebody' }),
          ...(kind === 'another product' && { productId: 999 }),
        }
        const text = JSON.stringify(json)
        return { status: 200, headers: {}, json, text, receivedAt: this.clock.now(), attempts: 1 }
      },
      retrying: () => 0,
      onReach: () => () => undefined,
    }
  }

  #happens(): void {
    for (const { atRead, what } of this.#job.happenings) if (atRead === this.reads.length) this.#do(what)
  }

  #do(what: Happening['what']): void {
    if (what.kind === 'says') this.says(what.product, what.says, what.form)
    if (what.kind === 'approval') this.approved = what.is
    if (what.kind === 'pause') this.pauseFor = what.forInMinutes * minute
  }

  /** What the service had said when an item was due; null: nothing that counts. */
  lastAsked(product: ProductId, at: number): Asked | null {
    const last = this.asked.findLast((one) => one.product === product && one.at <= at)
    return last === undefined || at - last.at > 15 * minute ? null : last
  }
}
const rowOf = (id: string, productId: number): DeviceRow =>
  ({ id, name: id, productId, firmwareVersion: from, status: 'online', gone: false, ...ofProduct }) as never

it('firmware is sent exactly to the devices for which the last due question permits it, whatever the service says in between', async () => {
  const seen: Record<string, number> = {}
  const sees = (what: string): void => void (seen[what] = (seen[what] ?? 0) + 1)
  await fc.assert(
    fc.asyncProperty(updateJobs, async (job) => {
      const world = new World(job)
      const permits = (asked: Asked | null): boolean =>
        asked?.says === 'permits' && (job.version !== 'approved' || asked.approved)
      const id = await world.start()
      let resumed = 0
      for (let turn = 0; turn < 500; turn++) {
        const { state, waitsFor } = await world.program.jobs.get(id)
        if (state === 'ended') break
        if (world.pauseFor !== null) {
          const forInMs = world.pauseFor
          world.pauseFor = null
          await world.program.jobs.pause(id)
          await world.clock.advance(forInMs)
        } else if (state === 'paused') {
          if (waitsFor === 'releases') {
            sees('paused for releases')
            for (const product of products) world.says(product, 'permits', 0)
          }
          resumed++
          await world.resume(id)
        }
        await settle(60)
        await world.clock.advance(minute)
      }
      const items = await world.program.items(id)
      for (const item of items) {
        const { product, kind } = job.devices[Number(item.target.id.slice(1))]!
        const reads = world.reads.filter((read) => read.id === item.target.id)
        const writes = world.writes.filter((write) => write.id === item.target.id)
        const told = JSON.stringify({ item, job, reads, writes, asked: world.asked, resumed })
        expect([item.outcome === null, writes.length <= 1], told).toEqual([false, true])
        const lastRead = reads.findLast(({ at }) => at <= (writes[0]?.at ?? Infinity)) ?? null
        const asked = world.lastAsked(product, lastRead?.at ?? world.clock.monotonic())
        if (writes.length > 0) {
          expect([permits(asked), (asked?.at ?? -1) >= writes[0]!.due], told).toEqual([true, true])
          sees('sent')
        }
        const isHealthy = kind === 'healthy' || kind === 'late'
        if (isHealthy && permits(asked)) {
          expect([item.outcome, item.detail, writes.length], told).toEqual(['done', 'verified', 1])
        } else if (isHealthy) {
          sees(`not sent: ${asked?.says}`)
          expect([item.outcome, item.detail, asked?.says !== 'breaks'], told).toEqual([
            'failed',
            'conflict',
            true,
          ])
        } else if (kind === 'as wanted') expect([item.detail, writes.length], told).toEqual(['as-wanted', 0])
        else expect([item.outcome === 'done', writes.length], told).toEqual([false, 0])
      }
      expect(world.program.lines.filter((line) => line.startsWith('error'))).toEqual([])
      await world.program.close()
      await world.home.close()
    }),
    { numRuns: cases(1_000) },
  )
  expect(Object.keys(seen).sort()).toEqual(
    [
      ...says.map((said) => `not sent: ${said}`).filter((word) => word !== 'not sent: breaks'),
      'paused for releases',
      'sent',
    ].sort(),
  )
  // Doing nothing would send nothing that is forbidden either.
  expect(seen['sent']).toBeGreaterThan(cases(1_000))
})
