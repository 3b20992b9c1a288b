import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { JobPage } from '../../../electron/contract/api/jobs.ts'
import { faultNames } from '../../../electron/demo/faults.ts'
import { build } from '../../bench/load/built.ts'
import { coreBehind, valueOf } from '../../e2e/core-behind.ts'
import { answerWith } from '../../e2e/desktop-answers.ts'
import { addOrganization, document, headroom } from '../../e2e/headroom.ts'
import {
  newHome,
  startProgram,
  startService,
  type Home,
  type Program,
  type Service,
} from '../../e2e/program.ts'
import { control, countsOf } from '../../e2e/service-switches.ts'
import { lookInto } from '../power/invariants.ts'
import type { Result } from '../runner/part.ts'
import { Technician } from './technician.ts'

const minute = 60_000
const minutesDue = 60
const minutes = Number(process.env['HEADROOM_MINUTES'] ?? minutesDue)
/** The window has the folder for this long, then commands alone have it. */
const turnInMs = minute
const devices = 600

/** The service may refuse connections now. */
async function switched(service: Service, ...[method, path, body]: Switch): Promise<unknown> {
  for (;;)
    try {
      return await control(service, method, path, body)
    } catch (error) {
      // As fetch says that it has no connection.
      if (!(error instanceof TypeError)) throw error
      await wait(200)
    }
}
type Switch = readonly [method: string, path: string, body?: unknown]

/** One to four faults of the service, sometimes no connection, until the next ones. */
async function trouble(person: Technician, service: Service): Promise<void> {
  const { faults } = (await switched(service, 'GET', '/faults')) as {
    readonly faults: readonly { readonly name: string; readonly struck: number }[]
  }
  for (const { name, struck } of faults) person.count(name, struck, person.struck)
  await switched(service, 'DELETE', '/faults')
  for (let more = 1 + Math.floor(person.random() * 4); more > 0; more--)
    await switched(service, 'POST', '/faults', { name: person.pick(faultNames), rate: 0.2 })
  if (person.random() > 0.3) return
  person.count('connections refused', 1, person.struck)
  await switched(service, 'POST', '/connections', {
    refuseForMs: 1_000 + Math.floor(person.random() * 8_000),
  })
}

/** One command. `key`: empty beside a window. */
async function command(person: Technician, home: Home, key: string, rooms: readonly string[]): Promise<void> {
  const folder = join(home.folder, 'files')
  mkdirSync(folder, { recursive: true })
  const words = person.pick([
    ['sync'],
    ['devices'],
    ['changes'],
    ['overview'],
    ['jobs'],
    ['journal'],
    ['firmware', 'status'],
    ['firmware', 'download', '2830/9395', 'latest', '--to', folder],
    ['kit', 'make', '--product', '2830/9395', '--to', join(folder, 'kit')],
    ['reboot', person.pick(rooms), '--yes', '--unlock', '--no-watch'],
  ])
  const { code, errors } = await headroom(home, words, { key })
  person.count(`commands ended with ${String(code)}`)
  if (code !== 0) person.reads(errors.trim().split('\n').at(-1) ?? '', words.join(' '))
}

/** The built window, with commands beside it, and commands alone, in turns on one data folder. */
export async function hour(seed: number, stop: AbortSignal): Promise<Result> {
  build()
  const home = newHome()
  const data = join(home.folder, 'home')
  const service = await startService('--devices', String(devices), '--rooms', '60')
  const { key } = service
  const person = new Technician(seed, key)
  let startedAt = 0
  const passed = (): number => performance.now() - startedAt
  const isOver = (): boolean => stop.aborted || passed() > minutes * minute
  const pageErrors: string[] = []
  let program: Program | null = null
  const closeWindow = async (): Promise<void> => {
    if (program === null) return
    pageErrors.push(...program.pageErrors)
    await answerWith(program.app, 'Quit')
    await program.app.close()
    program = null
  }
  try {
    await addOrganization(home, service)
    await headroom(home, ['sync'], { key })
    const { rooms } = await document<{ rooms: readonly { readonly id: string }[] }>(home, ['rooms'], key)
    const ids = rooms.map(({ id }) => id)
    startedAt = performance.now()
    for (let turn = 0; !isOver(); turn++) {
      if (turn % 2 === 0) {
        program = await startProgram(home)
        await answerWith(program.app, 'Start')
        // A window does not take HEADROOM_KEY.
        const { organizations } = coreBehind(program.page)
        const { id } = await valueOf(organizations.current())
        await valueOf(organizations.setKey({ id, slot: 'primary', key }))
      }
      person.count(program === null ? 'turns of commands alone' : 'turns of the window')
      for (const until = passed() + turnInMs; passed() < until && !isOver();) {
        await trouble(person, service)
        const client = program === null ? null : coreBehind(program.page)
        const ofCommand = client === null ? key : ''
        await Promise.all([
          client === null ? command(person, home, ofCommand, ids) : person.acts(client),
          command(person, home, ofCommand, ids),
        ])
        if (client !== null) await person.resumes(client)
      }
      await closeWindow()
    }
    // What is left ends without trouble.
    await trouble(person, service)
    await switched(service, 'DELETE', '/faults')
    const open = async () =>
      (await document<JobPage>(home, ['jobs'], key)).jobs.filter(({ state }) => state !== 'ended')
    for (const { id, keepTrying } of await open()) {
      // One that keeps trying may never end by itself.
      const words = keepTrying ? ['cancel', id] : ['resume', id, '--unlock', '--no-watch']
      await headroom(home, ['jobs', ...words], { key })
    }
    const synced = await headroom(home, ['sync'], { key })
    const left = await open()
    const log = ['headroom.log', 'headroom.previous.log'].flatMap((name) => {
      const path = join(data, 'logs', name)
      return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
    })
    person.count('log lines', log.length)
    const ran = Math.min(minutesDue, Math.floor(passed() / minute))
    return person.result([{ test: 'minutes', of: 'cases', due: minutesDue, ran }], {
      ...(await countsOf(service)),
      found: lookInto(data, devices),
      bugs: [...log.filter((line) => line.includes('"level":"error"')), ...pageErrors],
      lost: [
        ...left.map(({ id, state }) => `Job ${id} is ${state}.`),
        ...(synced.code === 0 ? [] : [`The last sync ended with ${String(synced.code)}: ${synced.errors}`]),
      ],
    })
  } finally {
    await closeWindow().catch(() => undefined)
    await service.end()
    home.remove()
  }
}
