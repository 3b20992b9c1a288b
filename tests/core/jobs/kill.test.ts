import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { count, kills } from '../../setup/cases.ts'
import { TemporaryHome } from '../../temporary-store.ts'

const program = join(inject('programs'), 'tests/core/jobs/job-program.mjs')

/** A service that counts the restarts of each room, or the updates of each device. */
class Counting {
  readonly arrived = new Map<string, number>()
  total = 0
  readonly #server: Server
  readonly #waiting: { count: number; go: () => void }[] = []
  private constructor(server: Server) {
    this.#server = server
  }
  static async open(): Promise<Counting> {
    const server = createServer()
    const counting = new Counting(server)
    server.on('request', (request, response) => {
      if (request.method === 'GET') {
        const device = request.url?.split('/').at(-1) ?? ''
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ firmwareVersion: counting.arrived.has(device) ? '2.0.0' : '1.0.0' }))
        return
      }
      const room = request.url?.split('/').at(-2) ?? ''
      counting.arrived.set(room, (counting.arrived.get(room) ?? 0) + 1)
      counting.total++
      for (const { count: due, go } of counting.#waiting) if (counting.total >= due) go()
      // When the program is killed, some responses are in flight and others were read.
      setImmediate(() => response.end())
    })
    await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
    return counting
  }
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }
  reaches(due: number): Promise<void> {
    return new Promise((go) => (this.total >= due ? go() : this.#waiting.push({ count: due, go })))
  }
  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

interface Running {
  readonly child: ChildProcess
  readonly said: string[]
  readonly says: (word: string) => Promise<void>
  readonly begin: () => void
}

let home: TemporaryHome
let service: Counting
let running: ChildProcess[]
beforeEach(async () => {
  home = new TemporaryHome()
  service = await Counting.open()
  running = []
})
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL')
  await service.close()
  await home.remove()
})

function start(name: string, { count: items = 200, speed = 200, kind = 'rooms' } = {}): Running {
  const child = spawn(
    process.execPath,
    [program, home.folder, service.url, String(items), name, String(speed), kind],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  )
  running.push(child)
  const said: string[] = []
  const waiting: { word: string; go: () => void }[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    said.push(line)
    for (const { word, go } of waiting) if (line.startsWith(word)) go()
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (errors += piece))
  const ended = new Promise<never>((_, reject) => {
    child.once(
      'close',
      (code, signal) => void reject(new Error(`${name} ended with ${String(code ?? signal)}: ${errors}`)),
    )
  })
  ended.catch(() => undefined)
  const heard = (word: string): Promise<void> =>
    new Promise((go) => (said.some((line) => line.startsWith(word)) ? go() : waiting.push({ word, go })))
  const says = (word: string): Promise<void> => Promise.race([heard(word), ended])
  return { child, said, says, begin: () => void child.stdin.write('go\n') }
}

async function kill({ child }: Running): Promise<void> {
  const gone = once(child, 'close')
  child.kill('SIGKILL')
  await gone
}

/** The contents of the files, as another process reads them. */
function look<T>(reading: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(home.folder, 'workbook.sqlite'))
  try {
    return reading(database)
  } finally {
    database.close()
  }
}
const check = (): unknown => look((database) => database.prepare('PRAGMA quick_check').get()?.['quick_check'])

/** A device is read, written to and watched, so fewer devices take the same time. */
const several = [
  { kind: 'rooms', items: 200, due: kills(4) },
  { kind: 'firmware', items: 10, due: kills(3) },
]
it.for(several)(
  'a program killed $due times in jobs of $items ($kind): nothing is sent twice, nothing is lost, and the workbook is undamaged each time',
  { timeout: 300_000 + kills(4) * 10_000 },
  async ({ kind, items, due }) => {
    const endsSaid: string[] = []
    let killed = 0
    let next = start('program 1', { kind, count: items })
    for (let number = 1; number <= due; number++) {
      const one = next
      await one.says('loaded')
      one.begin()
      // The next program starts meanwhile.
      next = start(`program ${number + 1}`, { kind, count: items })
      // Some are killed as soon as they resume a job, or begin one because the last one had just ended.
      if (number % 7 === 3) await Promise.race([one.says('resumed'), one.says('started')])
      else await service.reaches(service.total + 1 + ((number * 5) % 11))
      for (let turn = 0; turn < (number * 37) % 90; turn++)
        await new Promise<void>((resolve) => void setImmediate(resolve))
      await kill(one)
      killed++
      endsSaid.push(...one.said.filter((line) => line.startsWith('error')))
      expect(check()).toBe('ok')
    }
    await next.says('loaded')
    next.begin()
    await next.says('ended')
    await kill(next)

    expect(endsSaid).toEqual([])
    expect([...service.arrived].filter(([, times]) => times > 1)).toEqual([])
    look((database) => {
      const rows = database
        .prepare(
          'SELECT i.target_id, i.state, i.outcome, j.state AS job FROM job_item i JOIN job j ON j.number = i.job',
        )
        .all()
      // Every room to which a reboot was sent is known, and each one of an ended job has the true outcome.
      const known = new Map(rows.map((item) => [String(item['target_id']), item]))
      expect([...service.arrived.keys()].filter((room) => !known.has(room))).toEqual([])
      // The last program may have begun another job before it was killed.
      const ended = rows.filter(({ job }) => job === 'ended')
      const lied = ended.filter(({ target_id: room, outcome }) => {
        const arrived = service.arrived.has(String(room))
        return outcome === 'done' ? !arrived : outcome === 'unknown' ? false : arrived
      })
      expect(lied).toEqual([])
      expect(ended.filter(({ state }) => state !== 'ended')).toEqual([])
      const sums = database
        .prepare(
          'SELECT asked, done + failed + not_found + not_supported + unknown AS sum FROM job WHERE state = ?',
        )
        .all('ended')
      expect(sums.filter(({ asked, sum }) => asked !== sum)).toEqual([])
      // The journal has no gap and no duplicate, and a line for each arrival.
      const lines = database
        .prepare(
          'SELECT b.id, b.reference, b.target_id, e.outcome FROM journal_begin b LEFT JOIN journal_end e ON e.id = b.id ORDER BY b.id',
        )
        .all()
      expect(lines.map(({ id }) => id)).toEqual(lines.map((_, index) => index + 1))
      expect(new Set(lines.map(({ reference }) => reference)).size).toBe(lines.length)
      const written = new Set(lines.map(({ target_id: room }) => room))
      expect([...service.arrived.keys()].filter((room) => !written.has(room))).toEqual([])
    })
    count('kills', due, killed)
  },
)

it('two programs on one data folder: the second opens nothing while the first runs, and resumes its job when it was killed', async () => {
  const slowly = { count: 5_000, speed: 10 }
  const [first, second] = [
    start('Headroom, process 1', slowly),
    start('headroom on the command line, process 2', slowly),
  ]
  await Promise.all([first.says('loaded'), second.says('loaded')])
  first.begin()
  await first.says('started')
  await service.reaches(5)
  second.begin()
  await second.says('waits')
  await service.reaches(service.total + 5)
  expect(second.said).toEqual(['loaded', 'waits'])
  await kill(first)
  await second.says('resumed')
  await service.reaches(service.total + 5)
  await kill(second)
  expect([...service.arrived].filter(([, times]) => times > 1)).toEqual([])
})
