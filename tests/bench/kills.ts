import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { countsOf } from '../e2e/service-switches.ts'
import { startService, type Service } from './load/service.ts'

const kills = Number(process.env['HEADROOM_KILLS'] ?? 100)
const devices = 2_000
const roomsOfALife = 16
const program = new URL('load/killed-program.ts', import.meta.url).pathname
const client = new URL('load/killed-client.ts', import.meta.url).pathname
/**
 * A run is killed within this time after it opened its files (chosen so that a client starts and writes
 * within it).
 */
const livesInMs = 6_000
/** A client whose owner is killed ends automatically within its waits; a client that does not is counted. */
const clientEndsInMs = 30_000

interface Opened {
  readonly said: 'opened' | 'synced' | 'restarting'
  readonly devices: number
  readonly clientRoom: string | null
  readonly problems: readonly unknown[]
  readonly rebuilt: readonly string[]
}

interface Life {
  readonly child: ChildProcess
  readonly opened: Promise<Opened>
  readonly syncs: () => number
  /** Rejects if it ends before it is killed. */
  readonly ended: Promise<never>
}

function start(home: string, service: Service, number: number): Life {
  const child = spawn(
    process.execPath,
    [program, home, service.managementUrl, service.metadataUrl, String(number), String(roomsOfALife)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, HEADROOM_KEY: service.key },
    },
  )
  let syncs = 0
  const ended = new Promise<never>((_, reject) => {
    child.once(
      'close',
      (code, signal) => void reject(new Error(`The program ended by itself: ${String(code ?? signal)}`)),
    )
  })
  const said = new Promise<Opened>((tell) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const one = JSON.parse(line) as Opened
      if (one.said === 'opened') tell(one)
      if (one.said === 'synced') syncs++
    })
  })
  const opened = Promise.race([said, ended])
  for (const one of [opened, ended]) one.catch(() => undefined)
  return { child, opened, ended, syncs: () => syncs }
}

/** The exit code of a client, killed or not. */
async function endOf(child: ChildProcess, isKilled: boolean): Promise<string> {
  const gone = once(child, 'close')
  if (child.exitCode !== null) return String(child.exitCode)
  if (isKilled) child.kill('SIGKILL')
  const code = await Promise.race([gone, wait(clientEndsInMs, null)])
  if (code !== null) return String(code[0] ?? code[1])
  child.kill('SIGKILL')
  await gone
  return 'hung'
}

async function kill({ child }: Pick<Life, 'child'>): Promise<void> {
  const gone = once(child, 'close')
  child.kill('SIGKILL')
  await gone
}

function look<T>(home: string, file: string, reading: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(home, `${file}.sqlite`))
  try {
    return reading(database)
  } finally {
    database.close()
  }
}
const numberOf = (database: DatabaseSync, sql: string): number =>
  Number(Object.values(database.prepare(sql).get() ?? {})[0])

/**
 * The owner of a data folder over the demonstration in its own process, syncing continuously and
 * restarting rooms, one of them for a client; killed 100 times at random points, every second time with its
 * client. After each kill: both files are undamaged, and the store opens as a file without a rebuild,
 * with every device of the last complete sync. At the end: nothing was written twice, and the journal
 * contains each action that the service executed once.
 */
export async function run(
  say: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
): Promise<object> {
  const { HEADROOM_KEY: _, ...withoutKey } = process.env
  const service = await startService(
    '--devices',
    String(devices),
    '--rooms',
    String((kills + 2) * roomsOfALife),
    '--latency',
    '100',
    '--limits',
    '100000/1,1000000/300',
  )
  const home = mkdtempSync(join(tmpdir(), 'headroom-bench-'))
  const damaged: string[] = []
  const opened: Opened[] = []
  let inSync = 0
  let openJobs = 0
  const clients: Record<string, number> = {}
  try {
    const first = start(home, service, 0)
    while (first.syncs() === 0) await Promise.race([wait(50), first.ended])
    await kill(first)
    for (let number = 1; number <= kills; number++) {
      const life = start(home, service, number)
      const found = await life.opened
      opened.push(found)
      const words = ['reboot', found.clientRoom ?? '', '--yes', '--unlock', '--no-watch', '--json']
      const beside = spawn(process.execPath, ['--no-warnings', client, home, ...words], {
        stdio: 'ignore',
        env: withoutKey,
      })
      await Promise.race([wait(Math.random() * livesInMs), life.ended])
      await kill(life)
      const code = await endOf(beside, number % 2 === 0)
      if (code === '1') throw new Error('A client could not run, so its kills would show nothing')
      clients[code] = (clients[code] ?? 0) + 1
      for (const file of ['store', 'workbook'])
        if (
          look(home, file, (database) => database.prepare('PRAGMA quick_check').get()?.['quick_check']) !==
          'ok'
        )
          damaged.push(`${file} after kill ${number}`)
      inSync += Number(
        look(
          home,
          'store',
          (database) => numberOf(database, `SELECT count(*) FROM sync_stream WHERE finished = 0`) > 0,
        ),
      )
      openJobs += Number(
        look(
          home,
          'workbook',
          (database) => numberOf(database, `SELECT count(*) FROM job_item WHERE state = 'sending'`) > 0,
        ),
      )
      if (number % 10 === 0) say(`${number} of ${kills} kills`)
    }
    // The last run opens what the last kill left: it closes journal lines that were left open.
    const last = start(home, service, kills + 1)
    opened.push(await last.opened)
    await wait(2_000)
    await kill(last)
    const writes = new Map(Object.entries((await countsOf(service)).writes))
    const rooms = look(home, 'workbook', (database) =>
      database
        .prepare(
          `SELECT b.target_id AS room, count(*) AS lines, sum(e.outcome = 'accepted') AS accepted, sum(e.outcome = 'unconfirmed') AS unconfirmed,
            sum(e.id IS NULL) AS open FROM journal_begin b LEFT JOIN journal_end e USING (id) GROUP BY 1`,
        )
        .all(),
    )
    const journal = new Map(rooms.map((row) => [String(row['room']), row]))
    const sum = (column: string): number => rooms.reduce((all, row) => all + Number(row[column] ?? 0), 0)
    return {
      kills,
      damaged,
      problems: opened.flatMap(({ problems, rebuilt }) => [...problems, ...rebuilt]).length,
      fewestDevicesAtOpening: Math.min(...opened.map((one) => one.devices)),
      killedInSync: inSync,
      clientsEnded: JSON.stringify(clients),
      writtenForClients: opened.filter(({ clientRoom }) => clientRoom !== null && writes.has(clientRoom))
        .length,
      killedWhileSending: openJobs,
      journalLines: sum('lines'),
      accepted: sum('accepted'),
      unconfirmed: sum('unconfirmed'),
      // A journal line without an end is reported as unknown.
      cutOff: sum('open'),
      writtenTwice: [...writes.values()].filter((count) => count > 1).length,
      acceptedButNotArrived: rooms.filter(
        ({ room, accepted }) => Number(accepted) > 0 && !writes.has(String(room)),
      ).length,
      arrivedButNotInJournal: look(home, 'store', (database) =>
        database
          .prepare(`SELECT id FROM raw_record WHERE kind = 'room'`)
          .all()
          .map(({ id }) => String(id)),
      ).filter((room) => writes.has(room) && !journal.has(room)).length,
      moreThanOneLine: rooms.filter(({ lines }) => Number(lines) > 1).length,
    }
  } finally {
    await service.end()
    rmSync(home, { recursive: true, force: true })
  }
}
