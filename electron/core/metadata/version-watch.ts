import { Failed, foundOrNull } from '../../contract/failure.ts'
import type { VersionWatch } from '../../contract/api/metadata.ts'
import type { Clock, SqlValue } from '../platform.ts'
import type { Workbook } from '../storage/workbook.ts'
import type { Ask, Metadata, CachedDocument } from './metadata.ts'
import { differencesBetween, type OpenApi } from './open-api-json.ts'

/** When a version of the metadata interface was first available, stored permanently. */
export interface SeenVersions {
  /** Epoch milliseconds, by version. */
  all(): Promise<ReadonlyMap<number, number>>
  /** Remembers the first time only. */
  note(version: number, at: number): Promise<void>
}

export interface VersionWatching {
  /**
   * The version in use, whether a newer one is available, and the differences. `refresh` sends requests even
   * if the documents are fresh.
   */
  check(query: { readonly refresh: boolean }): Promise<VersionWatch>
}

/**
 * Number of newer versions searched after the one in use; each one found extends the search by as many. Raise
 * it if versions are skipped.
 */
const aheadAtMost = 2
/** Specification, part 9: the release date of the only version for which it is known. */
const released: ReadonlyMap<number, number> = new Map([[18, Date.UTC(2026, 8, 15)]])

export function openVersionWatch(parts: {
  readonly metadata: Pick<Metadata, 'openApi'>
  readonly clock: Clock
  readonly inUse: number
  readonly seen: SeenVersions
}): VersionWatching {
  const { metadata, clock, inUse, seen } = parts
  return {
    async check({ refresh }) {
      const ask: Ask = { refresh }
      const own = await foundOrNull(metadata.openApi(inUse, ask))
      const newest = await newestAfter(inUse, ask)
      const now = clock.now()
      if (newest !== null) await seen.note(newest.version, newest.reading.observedAt)
      const known = [...(await seen.all())].filter(([version]) => version > inUse)
      const newer = known.length === 0 ? null : Math.max(...known.map(([version]) => version))
      // The support period of the version in use starts with the release of the next one.
      const after =
        known.length === 0 ? null : Math.min(...known.map(([version, at]) => released.get(version) ?? at))
      return {
        inUse,
        newer,
        supportedUntilAt: after === null ? null : sixMonthsAfter(after),
        checkedAt:
          own === null && newest === null
            ? now
            : Math.min(
                ...[own, newest?.reading ?? null].flatMap((one) => (one === null ? [] : [one.observedAt])),
              ),
        openapiKeptAt: own?.observedAt ?? null,
        differences:
          own === null || newest === null ? [] : differencesBetween(own.value, newest.reading.value),
      }
    },
  }

  async function newestAfter(
    version: number,
    ask: Ask,
  ): Promise<{ readonly version: number; readonly reading: CachedDocument<OpenApi> } | null> {
    let found: { version: number; reading: CachedDocument<OpenApi> } | null = null
    for (let next = version + 1; next <= (found?.version ?? version) + aheadAtMost; next++) {
      try {
        const reading = await foundOrNull(metadata.openApi(next, ask))
        if (reading !== null) found = { version: next, reading }
      } catch (error) {
        // Every response is accepted, because the version may not exist; without a connection the search
        // ends.
        if (!(error instanceof Failed) || error.failure.kind === 'cancelled') throw error
        if (error.failure.kind !== 'unreadable-answer' && error.failure.kind !== 'refused') return found
      }
    }
    return found
  }
}

/** Calendar months, UTC; in a shorter month its last day. */
export function sixMonthsAfter(at: number): number {
  const day = new Date(at)
  const month = day.getUTCMonth() + 6
  const lastDay = new Date(Date.UTC(day.getUTCFullYear(), month + 1, 0)).getUTCDate()
  return Date.UTC(
    day.getUTCFullYear(),
    month,
    Math.min(day.getUTCDate(), lastDay),
    day.getUTCHours(),
    day.getUTCMinutes(),
    day.getUTCSeconds(),
  )
}

/**
 * When each version was first available, stored in the workbook, because clearing the cache must not restart
 * the six months. `of`: the interface of the version.
 */
export function rememberedVersions(workbook: Pick<Workbook, 'query' | 'write'>, of: string): SeenVersions {
  const name = `metadata-versions ${of}`
  const parse = (value: SqlValue | undefined): ReadonlyMap<number, number> =>
    new Map(pairsIn(typeof value === 'string' ? value : '[]'))
  return {
    async all() {
      const [row] = await workbook.query('SELECT value FROM fact WHERE name = ?', [name])
      return parse(row?.['value'])
    },
    async note(version, at) {
      await workbook.write((transaction) => {
        const known = parse(transaction.first('SELECT value FROM fact WHERE name = ?', [name])?.['value'])
        if (known.has(version)) return
        transaction.run(
          'INSERT INTO fact (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
          [name, JSON.stringify([...known, [version, at]])],
        )
      })
    },
  }
}

function pairsIn(text: string): readonly (readonly [number, number])[] {
  try {
    const list = JSON.parse(text) as unknown
    const isPair = (pair: unknown): pair is readonly [number, number] =>
      Array.isArray(pair) && pair.length === 2 && pair.every((one) => typeof one === 'number')
    return Array.isArray(list) ? list.filter(isPair) : []
  } catch {
    return []
  }
}
