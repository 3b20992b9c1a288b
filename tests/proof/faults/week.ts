import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ProxyProblem } from '../../../electron/contract/failure.ts'
import { clientOver } from '../../../electron/contract/rpc-client.ts'
import { DatabaseError, type Databases, type WireFault } from '../../../electron/core/platform.ts'
import { faultNames } from '../../../electron/demo/faults.ts'
import { notificationText } from '../../../electron/main/notification-text.ts'
import { AJobCore, key, type Faulty } from '../../core/jobs/a-job-core.ts'
import { lookInto } from '../power/invariants.ts'
import type { Result } from '../runner/part.ts'
import { Technician } from './technician.ts'

const quarter = 15 * 60_000
const devicesDue = 5_000
const devices = Number(process.env['HEADROOM_DEVICES'] ?? devicesDue)
const hoursDue = 7 * 24
const hours = Math.round(Number(process.env['HEADROOM_SHARE'] ?? 1) * hoursDue)

const proxies: readonly ProxyProblem[] = [
  'sign-in-wanted',
  'refused',
  'not-there',
  'name-not-known',
  'closed',
  'not-trusted',
  'no-proxy-known',
]
const of = (reason: WireFault['reason'], sent: WireFault['sent'], message: string): WireFault => ({
  kind: 'fault',
  reason,
  sent,
  message,
})
const network: Readonly<Record<string, WireFault>> = {
  'connection refused': of('offline', 'no', 'ECONNREFUSED'),
  'name not found': of('offline', 'no', 'ENOTFOUND'),
  'connection reset': of('broken', 'maybe', 'ECONNRESET'),
  'no answer': of('timeout', 'maybe', 'no answer'),
  'certificate expired': of('tls', 'no', 'CERT_HAS_EXPIRED'),
  'answer cut': of('truncated', 'maybe', 'the answer ended early'),
  'answer too large': of('too-large', 'maybe', 'the answer is too large'),
  'sign-in page': { ...of('redirect', 'maybe', '302'), location: 'https://elsewhere.example.com/' },
  ...Object.fromEntries(
    proxies.map((reason) => [
      `proxy ${reason}`,
      { ...of('offline', 'no', reason), proxy: { reason, via: { host: 'proxy.example.com', port: 8080 } } },
    ]),
  ),
}
const disk = ['disk full', 'disk read-only', 'disk slow']
const faults: readonly string[] = [...faultNames, ...Object.keys(network), ...disk]

/** A week of one organization in which each fault comes for an hour, again and again, in a third of what it may concern. */
export async function week(seed: number, stop: AbortSignal): Promise<Result> {
  const person = new Technician(seed, key)
  let fault = ''
  const strikes = (): boolean => {
    const does = person.random() < 0.33
    if (does) person.count(fault, 1, person.struck)
    return does
  }
  const later = (inMs: number): Promise<void> => new Promise((go) => void it.clock.after(inMs, go))
  /** What may have been sent was sent. */
  const instead = async (timeoutInMs: number, send: () => Promise<unknown>): Promise<WireFault | null> => {
    const found = network[fault]
    if (found === undefined || !strikes()) return null
    if (found.sent === 'maybe') await send()
    if (found.reason === 'timeout') await later(timeoutInMs)
    return found
  }
  const onDisk = async (file: DatabaseError['file']): Promise<void> => {
    if (!disk.includes(fault) || !strikes()) return
    if (fault === 'disk full') throw new DatabaseError(file, 'disk-full', 'database or disk is full')
    if (fault === 'disk read-only')
      throw new DatabaseError(file, 'read-only', 'attempt to write a readonly database')
    await later(3_000)
  }
  const faulty: Faulty = {
    transport: (own) => ({
      ...own,
      attempt: async (request) =>
        (await instead(request.timeoutInMs, () => own.attempt(request))) ?? own.attempt(request),
    }),
    fileTransport: (own) => ({
      isProxied: (url) => own.isProxied(url),
      get: async (request, address) =>
        (await instead(request.silentAtMostInMs, async () => undefined)) ?? own.get(request, address),
    }),
    databases: (own): Databases => ({
      found: (file) => own.found(file),
      openReadOnly: (file, because) => own.openReadOnly(file, because),
      setAside: (file, because, at) => own.setAside(file, because, at),
      open: async (file) => {
        const database = await own.open(file)
        return {
          get durable() {
            return database.durable
          },
          query: (...given) => database.query(...given),
          queryNumbers: (...given) => database.queryNumbers(...given),
          write: (work) => onDisk(file).then(() => database.write(work)),
          perform: (procedure, input) => onDisk(file).then(() => database.perform(procedure, input)),
          close: () => database.close(),
        }
      },
    }),
  }
  const it = await AJobCore.open({ devices, rooms: Math.round(devices * 0.06), slowMs: 5 }, {}, faulty)
  const { core, service, platform } = it
  // Asked as by a page, while time passes.
  const client = clientOver(() => ({
    call: (method, argument) => it.passing(core.server(method, argument)),
    subscribe: () => () => undefined,
  }))
  const pass = async (inMs: number): Promise<void> => {
    const until = it.clock.now() + inMs
    await it.until(async () => it.clock.now() >= until, 5_000)
  }
  core.startSyncing()
  core.startNotifying((message) => {
    const { title, body } = notificationText(message)
    person.reads(`${title}. ${body}`, 'notification')
    person.count('notifications')
  })
  let order: readonly string[] = []
  let ran = 0
  for (; ran < hours && !stop.aborted; ran++) {
    if (order.length === 0) {
      const at = new Map(faults.map((one) => [one, person.random()]))
      order = faults.toSorted((one, other) => at.get(one)! - at.get(other)!)
    }
    fault = order[0]!
    order = order.slice(1)
    const ofService = faultNames.find((name) => name === fault)
    if (ofService !== undefined)
      service.faults.set({ name: ofService, rate: 0.33, times: null, operation: null })
    for (let part = 0; part < 4; part++) {
      await person.acts(client)
      await pass(quarter)
      await person.resumes(client)
    }
    // Faults of records strike without being counted: they are there while the fault is on.
    for (const { name, struck } of service.faults.list()) person.count(name, struck || 1, person.struck)
    service.faults.clear()
    fault = ''
    // Fetched again by the next download.
    for (const path of globSync(join(it.home.folder, 'Downloads/*.zip'))) rmSync(path)
  }
  for (let turn = 0; turn < 200 && (await person.resumes(client)); turn++) await pass(quarter)
  const report = await person.ask(client.sync.run())
  const list = await person.ask(client.devices.slice({ where: '', sort: [], start: 0, count: 1 }))
  const left = await person.reviews(client)
  await it.passing(core.close())
  const found = lookInto(it.home.folder, devices)
  const counts = service.counts()
  await service.stop()
  await it.home.remove()
  const came = faults.filter((one) => (person.struck.get(one) ?? 0) > 0).length
  return person.result(
    [
      { test: 'devices', of: 'cases', due: devicesDue, ran: devices },
      { test: 'hours', of: 'cases', due: hoursDue, ran },
      { test: 'kinds of faults that came', of: 'cases', due: faults.length, ran: came },
    ],
    {
      ...counts,
      found,
      bugs: platform.lines.filter((line) => line.startsWith('error')),
      lost: [
        ...left,
        ...(report?.complete === true && list?.all === devices
          ? []
          : [`The last sync: ${JSON.stringify(report)}, ${list?.all} devices.`]),
      ],
    },
  )
}
