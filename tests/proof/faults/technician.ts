import { sentence } from '../../../electron/cli/texts.ts'
import type { JobWork } from '../../../electron/contract/api/jobs.ts'
import type { Failure, Outcome } from '../../../electron/contract/failure.ts'
import type { Client } from '../../../electron/contract/rpc-client.ts'
import { sequence } from '../../../electron/demo/random.ts'
import { againstService, counted, type Found } from '../power/invariants.ts'
import type { Result } from '../runner/part.ts'
import { number } from '../runner/report.ts'

const product = { vendorId: 2830, productId: 9395 }

/** Someone who works through trouble, and what was told meanwhile. */
export class Technician {
  readonly random: () => number
  readonly did = new Map<string, number>()
  readonly struck = new Map<string, number>()
  readonly #told = new Map<string, number>()
  readonly #wordless: string[] = []
  readonly #bugs: string[] = []
  readonly #fetched = new Set<string>()
  readonly #startedAt = performance.now()
  readonly #key: string
  /** `key`: entered again when the service has refused it. */
  constructor(seed: number, key: string) {
    this.random = sequence(seed)
    this.#key = key
  }

  count(what: string, times = 1, of = this.did): void {
    of.set(what, (of.get(what) ?? 0) + times)
  }
  pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.random() * all.length)]!
  }
  hears(failure: Failure | null | undefined): void {
    if (failure === null || failure === undefined) return
    this.count(failure.kind, 1, this.#told)
    if (failure.kind === 'bug') this.#bugs.push(`bug ${failure.reference}`)
    this.reads(sentence(failure), JSON.stringify(failure))
  }
  /** Some words, and nothing of a program in them. */
  reads(text: string, where: string): void {
    const isRaw = /\[object|undefined|NaN|\bnull\b|[{}]|^\s+at |Error:/m.test(text)
    if (isRaw || !/^\S+( \S+){2,}/.test(text)) this.#wordless.push(`${where}: ${text}`)
  }
  /** null: it failed, which was told. */
  async ask<T>(asked: Promise<Outcome<T>>): Promise<T | null> {
    const outcome = await asked
    this.count(outcome.ok ? 'questions answered' : 'questions failed')
    if (outcome.ok) return outcome.value
    this.hears(outcome.failure)
    return null
  }

  async #job({ jobs }: Client, work: JobWork): Promise<void> {
    const terms = { startAt: null, window: null, keepTrying: this.random() < 0.5, canary: false }
    const plan = await this.ask(jobs.plan({ work, ...terms }))
    if (plan === null || plan.items === 0) return
    const job = await this.ask(jobs.start({ plan: plan.id, unlock: true, typed: plan.typeNumber }))
    if (job !== null) this.count(`jobs of ${work.kind}`)
  }

  /** One thing to do. */
  async acts(client: Client): Promise<void> {
    const some = async (list: 'devices' | 'rooms', where: string, count: number) => {
      const page = { where, sort: [], start: Math.floor(this.random() * 20), count }
      const found = await this.ask<{ readonly rows: readonly { readonly id: string }[] }>(
        list === 'devices' ? client.devices.slice(page) : client.rooms.list(page),
      )
      return { kind: 'picked' as const, ids: found?.rows.map(({ id }) => id) ?? [] }
    }
    await this.pick([
      async () =>
        this.#job(client, { kind: 'reboot-rooms', of: 'rooms', selection: await some('rooms', '', 5) }),
      async () =>
        this.#job(client, {
          kind: 'change-settings',
          selection: await some('devices', '"panacast 50" status:online', 5),
          changes: [{ name: 'fieldOfView', value: this.pick(['_90deg', '_120deg']) }],
        }),
      async () =>
        this.#job(client, {
          kind: 'update-firmware',
          selection: await some('devices', 'fw:behind status:online', 5),
          version: 'latest',
          allowDowngrade: false,
          watchForInMinutes: 30,
        }),
      async () => {
        const query = { ...product, version: 'latest', buildType: null, folder: null }
        await this.ask(client.downloads.start({ ...query, acceptChanged: null, acceptRevoked: false }))
      },
      async () => {
        for (const id of (await some('devices', 'status:online', 3)).ids)
          await this.ask(client.devices.settings({ id, refresh: true }))
      },
      async () => {
        await this.ask(client.sync.run())
        await this.ask(client.firmware.products({ text: '', owned: true, start: 0, count: 20 }))
        await this.ask(client.overview.get())
      },
    ])()
  }

  /** Resumes what stopped; returns whether work is left. */
  async resumes(client: Client): Promise<boolean> {
    let left = 0
    const listed = await this.ask(client.organizations.list())
    for (const { id, stoppedBecause } of listed?.organizations ?? []) {
      if (stoppedBecause === null) continue
      await this.ask(client.organizations.setKey({ id, slot: 'primary', key: this.#key }))
      this.count('keys entered again')
    }
    const listedJobs = await this.ask(client.jobs.list({ start: 0, count: 500 }))
    // Not read: there may be work.
    left += Number(listedJobs === null)
    for (const { id, state } of listedJobs?.jobs ?? []) {
      left += Number(state !== 'ended')
      if (state === 'paused' || state === 'unarmed') await this.ask(client.jobs.resume({ id, unlock: true }))
    }
    for (const { id, state, failure } of (await this.ask(client.downloads.list()))?.downloads ?? []) {
      left += Number(!['done', 'failed', 'cancelled'].includes(state))
      if (state === 'paused') await this.ask(client.downloads.resume({ id }))
      if ((state !== 'failed' && state !== 'done') || this.#fetched.has(id)) continue
      this.#fetched.add(id)
      this.hears(failure)
      this.count(`downloads ${state}`)
    }
    const status = await this.ask(client.app.status())
    for (const { failure } of status?.problems ?? []) this.hears(failure)
    this.hears(status?.sync.lastFailure)
    return left > 0
  }

  /** How each item ended, and that all ended. */
  async reviews(client: Client): Promise<readonly string[]> {
    const left: string[] = []
    for (const { id } of (await this.ask(client.jobs.list({ start: 0, count: 500 })))?.jobs ?? [])
      for (const { failure, outcome, target } of (
        await this.ask(client.jobs.items({ id, show: null, start: 0, count: 500 }))
      )?.items ?? []) {
        this.hears(failure)
        this.count(`items ${outcome ?? 'left'}`)
        if (outcome === null) left.push(`Job ${id}: ${target.id} did not end.`)
      }
    return left
  }

  /** `writes`: what the service executed; `calls`: by operation and status. */
  result(
    counts: Result['counts'],
    {
      bugs,
      lost,
      found,
      writes,
      arrivals,
    }: {
      readonly bugs: readonly string[]
      readonly lost: readonly string[]
      readonly found: Found
      readonly writes: Readonly<Record<string, number>>
      readonly arrivals: Readonly<Record<string, Readonly<Record<string, number>>>>
    },
  ): Result {
    const against = {
      '0 bugs recorded': [...bugs, ...this.#bugs],
      '0 lost': [...lost, ...found.broken],
      '0 doubled': againstService(found, writes),
      'every failure told in words': this.#wordless,
    }
    const sum = (all: readonly number[]): string => number(all.reduce((one, other) => one + other, 0))
    const listed = (all: Iterable<readonly [string, number]>): string =>
      [...all]
        .sort()
        .map(([what, times]) => `${what} ${number(times)}`)
        .join(', ')
    const sent = ['RebootRoom', 'UpdateDeviceSettings', 'UpdateDeviceFirmware'].map(
      (name) => `${name}: ${listed(Object.entries(arrivals[name] ?? {}))}`,
    )
    return {
      counts,
      failed: Object.entries(against).flatMap(([test, all]) =>
        all.length === 0 ? [] : [{ test, detail: [`${all.length} times`, ...all.slice(0, 50)].join('\n') }],
      ),
      seconds: Math.round((performance.now() - this.#startedAt) / 100) / 10,
      notes: [
        `what happened: ${listed(this.did)}, calls ${sum(Object.values(arrivals).flatMap((one) => Object.values(one)))}, writes executed ${sum(Object.values(writes))}, ${counted(found)}`,
        `responses to writes: ${sent.join('; ')}`,
        `faults that came: ${listed(this.struck)}`,
        `failures told: ${listed(this.#told)}`,
      ],
    }
  }
}
