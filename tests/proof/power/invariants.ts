import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** What is in a data folder after a program was killed; the counts stand beside each zero. */
export interface Found {
  /** Each broken promise, in a sentence. */
  readonly broken: readonly string[]
  readonly devices: number
  /** Reports of syncs. */
  readonly syncs: number
  readonly lines: number
  /** Lines of journal after another line of one of their devices. */
  readonly gaps: number
  readonly endedItems: number
  /** Items that were sent and not ended. */
  readonly underWay: number
  /** A sync had begun and not ended. */
  readonly inSync: boolean
  /** Tables that were being built again. */
  readonly rebuilding: boolean
  /** The targets of the journal, with the number of lines of each, and of those that were accepted. */
  readonly targets: ReadonlyMap<string, { readonly lines: number; readonly accepted: number }>
}

const minute = 60_000

/** In a copy: who closes a database last moves its log into it, which is for the next program to do. */
function look<T>(home: string, file: string, reading: (all: (sql: string) => readonly Row[]) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-look-'))
  try {
    for (const name of [`${file}.sqlite`, `${file}.sqlite-wal`])
      if (existsSync(join(home, name))) copyFileSync(join(home, name), join(folder, name))
    const database = new DatabaseSync(join(folder, `${file}.sqlite`))
    try {
      return reading((sql) => database.prepare(sql).all() as readonly Row[])
    } finally {
      database.close()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
type Row = Readonly<Record<string, string | number | null>>

/** Both databases, the last snapshot, the journal, the minute between writes, the sums of jobs. `devices`: of the last complete sync. */
export function lookInto(home: string, devices: number): Found {
  const broken: string[] = []
  const expect = (isTrue: boolean, sentence: string): void => void (isTrue || broken.push(sentence))
  const store = look(home, 'store', (all) => {
    for (const row of all('PRAGMA integrity_check'))
      expect(row['integrity_check'] === 'ok', `store.sqlite: ${String(row['integrity_check'])}`)
    const count = (sql: string): number => Number(all(sql)[0]?.['n'])
    const rebuilding = count(`SELECT count(*) AS n FROM derived_stamp WHERE stamp = 'unfinished'`) > 0
    const there = count(
      `SELECT count(*) AS n FROM raw_record JOIN raw_json USING (row_id) WHERE kind = 'device' AND gone_at IS NULL`,
    )
    expect(there === devices, `The store has ${there} of ${devices} devices.`)
    return {
      there,
      rebuilding,
      inSync: count('SELECT count(*) AS n FROM sync_stream WHERE finished = 0') > 0,
      syncs: count('SELECT count(*) AS n FROM sync_report'),
    }
  })
  return look(home, 'workbook', (all) => {
    for (const row of all('PRAGMA integrity_check'))
      expect(row['integrity_check'] === 'ok', `workbook.sqlite: ${String(row['integrity_check'])}`)
    expect(all('PRAGMA foreign_key_check').length === 0, 'A row of the workbook refers to none.')
    const lines = all(
      'SELECT b.id, b.target_id AS target, b.device_ids AS devices, b.started_at AS at, e.outcome, e.status FROM journal_begin b LEFT JOIN journal_end e USING (id) ORDER BY b.id',
    )
    expect(
      lines.every(({ id }, index) => id === index + 1),
      'The journal has a gap.',
    )
    const last = new Map<string, number>()
    let gaps = 0
    const targets = new Map<string, { lines: number; accepted: number }>()
    for (const { id, target, devices: own, at, outcome, status } of lines) {
      for (const device of JSON.parse(String(own)) as readonly string[]) {
        const before = last.get(device)
        if (before !== undefined) {
          gaps++
          expect(
            Number(at) - before >= minute,
            `Line ${id} is ${Number(at) - before} ms after another one of its device.`,
          )
        }
        // A write that certainly was not sent gives its slots back.
        if (outcome !== 'refused' || status !== null) last.set(device, Number(at))
      }
      const known = targets.get(String(target)) ?? { lines: 0, accepted: 0 }
      targets.set(String(target), {
        lines: known.lines + 1,
        accepted: known.accepted + Number(outcome === 'accepted'),
      })
    }
    const items = all(
      `SELECT j.id, j.state, j.asked, j.done + j.failed + j.not_found + j.not_supported + j.unknown AS sum, count(i.id) AS items,
        sum(i.state = 'ended') AS ended, sum(i.outcome IS NOT NULL) AS known, sum(i.state IN ('sending', 'checking', 'watching')) AS under_way
       FROM job j LEFT JOIN job_item i ON i.job = j.number GROUP BY j.number`,
    )
    for (const { id, state, asked, sum, items: there, ended, known } of items)
      expect(
        asked === there && sum === known && ended === known && (state !== 'ended' || sum === asked),
        `Job ${id}, ${state}: ${asked} asked, ${there} items, ${ended} ended, ${sum} counted.`,
      )
    const twice = all(
      'SELECT journal_id FROM job_item WHERE journal_id IS NOT NULL GROUP BY 1 HAVING count(*) > 1',
    )
    expect(twice.length === 0, 'Two items have one line.')
    const total = (name: string): number => items.reduce((sum, row) => sum + Number(row[name] ?? 0), 0)
    return {
      broken,
      devices: store.there,
      syncs: store.syncs,
      lines: lines.length,
      gaps,
      endedItems: total('ended'),
      underWay: total('under_way'),
      inSync: store.inSync,
      rebuilding: store.rebuilding,
      targets,
    }
  })
}

/** What the service executed, against the journal: an effect has its line, and no line has two. */
export function againstService(found: Found, effects: Readonly<Record<string, number>>): readonly string[] {
  return [
    ...Object.entries(effects).flatMap(([target, times]) => {
      const lines = found.targets.get(target)?.lines ?? 0
      return times > lines
        ? [`${target} was written ${times} times, with ${lines} lines in the journal.`]
        : []
    }),
    ...[...found.targets].flatMap(([target, { accepted }]) =>
      accepted > (effects[target] ?? 0)
        ? [`${target}: ${accepted} accepted, ${effects[target] ?? 0} executed.`]
        : [],
    ),
  ]
}

/** The counts beside each zero. */
export const counted = ({ devices, lines, gaps, endedItems, syncs }: Found): string =>
  `devices ${devices}, syncs ${syncs}, journal lines ${lines}, lines after another of their device ${gaps}, ended items ${endedItems}`
