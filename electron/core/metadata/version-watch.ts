import { Failed, foundOrNull, isKind } from '../../contract/failure.ts'
import type { VersionWatch } from '../../contract/api/metadata.ts'
import { supportText } from '../../contract/metadata-support.ts'
import type { Clock, Log, SqlValue } from '../platform.ts'
import type { Workbook } from '../storage/workbook.ts'
import { NotPublished, type Ask, type Metadata, type CachedDocument } from './metadata.ts'
import { addedIn, deprecatedIn, differencesBetween, isOfVersion, type OpenApi } from './open-api-json.ts'

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
  /**
   * The part of a sync: looks for a newer version with at most one request a day, and none once one is known.
   * Never rejects.
   */
  look(signal: AbortSignal): Promise<void>
  /** From 60 days before the end of the support: a sentence about it, as of the last look. */
  notes(): readonly string[]
}

type Support = Pick<VersionWatch, 'newer' | 'supportedUntilAt' | 'firstSeen'>

/**
 * Number of newer versions searched after the one in use; each one found extends the search by as many. Raise
 * it if versions are skipped.
 */
const aheadAtMost = 2
/** Ends the search at a service that answers every version. Raise it if a newer version is not found. */
const searchedAtMost = 20
/** Chosen: two months to test another version. */
const noticeDays = 60
const DAY_IN_MS = 86_400_000
/** services.md#A36: the release date of the only version for which it is known. */
const released: ReadonlyMap<number, number> = new Map([[18, Date.UTC(2026, 8, 15)]])

export function openVersionWatch(parts: {
  readonly metadata: Pick<Metadata, 'openApi'>
  readonly clock: Clock
  readonly log: Log
  readonly inUse: number
  readonly seen: SeenVersions
  /** IANA name of the time zone of days in `notes`. */
  readonly timeZone: () => Promise<string>
  /** Called when `notes` may have changed. */
  readonly changed: () => void
}): VersionWatching {
  const { metadata, clock, inUse, seen } = parts
  let support: Support = noNewer
  let timeZone = 'UTC'
  const quietly = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof Failed))
        parts.log.write('error', 'The metadata version could not be checked', { error: String(error) })
    }
  }
  const recall = async (): Promise<void> => {
    const known = await knownSupport()
    if (known.newer !== null) timeZone = await parts.timeZone()
    support = known
    if (support.newer !== null) parts.changed()
  }
  void quietly(recall)
  return {
    look: (signal) =>
      quietly(async () => {
        if ((await knownSupport()).newer === null) await lookAhead(signal)
        await recall()
      }),
    notes() {
      const { supportedUntilAt } = support
      return supportedUntilAt === null || supportedUntilAt - clock.now() > noticeDays * DAY_IN_MS
        ? []
        : [
            `${supportText(inUse, support, clock.now(), timeZone)} Another version can be set in the profile of the organization.`,
          ]
    },
    async check({ refresh }) {
      const ask: Ask = { refresh }
      const own = await foundOrNull(metadata.openApi(inUse, ask))
      const { newest, otherVersions } = await newestAfter(inUse, ask)
      const now = clock.now()
      if (newest !== null) await seen.note(newest.version, newest.reading.observedAt)
      return {
        inUse,
        ...(await knownSupport()),
        checkedAt:
          own === null && newest === null
            ? now
            : Math.min(
                ...[own, newest?.reading ?? null].flatMap((one) => (one === null ? [] : [one.observedAt])),
              ),
        openapiKeptAt: own?.observedAt ?? null,
        differences:
          own === null || newest === null ? [] : differencesBetween(own.value, newest.reading.value),
        deprecated: [own && { version: inUse, reading: own }, newest].flatMap((one) =>
          one === null
            ? []
            : deprecatedIn(one.reading.value).map((operation) => ({ version: one.version, operation })),
        ),
        added:
          own === null || newest === null
            ? []
            : addedIn(own.value, newest.reading.value).map(({ id, path }) => ({ operation: id, path })),
        otherVersions: [...(own === null ? [] : saysOther(inUse, own.value)), ...otherVersions],
      }
    },
  }

  /** The support period of the version in use ends six months after the release of the next one. */
  async function knownSupport(): Promise<Support> {
    const known = [...(await seen.all())]
      .filter(([version]) => version > inUse)
      .map(([version, at]) => ({ version, at, releasedAt: released.get(version) ?? at }))
      .sort((one, other) => one.releasedAt - other.releasedAt)
    const [next] = known
    return next === undefined
      ? noNewer
      : {
          newer: Math.max(...known.map(({ version }) => version)),
          supportedUntilAt: sixMonthsAfter(next.releasedAt),
          // Exact only if no version in between, of unknown release day, can have ended it earlier.
          firstSeen:
            released.has(next.version) && next.version === inUse + 1
              ? null
              : { version: next.version, at: next.at },
        }
  }

  /** Asks for the one of the next versions that was asked for longest ago. */
  async function lookAhead(signal: AbortSignal): Promise<void> {
    const ahead = await Promise.all(
      Array.from({ length: aheadAtMost }, async (_, index) => {
        const version = inUse + 1 + index
        return { version, askedAt: await askedAt(version) }
      }),
    )
    const since = clock.now() - Math.max(...ahead.map((one) => one.askedAt))
    if (since >= 0 && since < DAY_IN_MS) return
    const [{ version } = { version: inUse + 1 }] = ahead.sort((one, other) => one.askedAt - other.askedAt)
    const reading = await foundOrNull(metadata.openApi(version, { lane: 'bulk', refresh: true, signal }))
    if (reading !== null && isOfVersion(reading.value, version)) await seen.note(version, reading.observedAt)
  }

  /** Epoch milliseconds; -Infinity: never, or the answer was unreadable. */
  async function askedAt(version: number): Promise<number> {
    try {
      return (await metadata.openApi(version, { cachedOnly: true })).observedAt
    } catch (error) {
      if (error instanceof NotPublished) return error.observedAt
      if (error instanceof Failed) return -Infinity
      throw error
    }
  }

  async function newestAfter(
    version: number,
    ask: Ask,
  ): Promise<{
    readonly newest: { readonly version: number; readonly reading: CachedDocument<OpenApi> } | null
    readonly otherVersions: VersionWatch['otherVersions']
  }> {
    let found: { version: number; reading: CachedDocument<OpenApi> } | null = null
    const otherVersions: VersionWatch['otherVersions'][number][] = []
    const last = (): number => Math.min((found?.version ?? version) + aheadAtMost, version + searchedAtMost)
    for (let next = version + 1; next <= last(); next++) {
      try {
        const reading = await foundOrNull(metadata.openApi(next, ask))
        const other = reading === null ? [] : saysOther(next, reading.value)
        otherVersions.push(...other)
        if (reading !== null && other.length === 0) found = { version: next, reading }
      } catch (error) {
        // Every response is accepted, because the version may not exist; without a connection the search
        // ends.
        if (!(error instanceof Failed) || isKind(error.failure, 'cancelled')) throw error
        if (!isKind(error.failure, 'unreadable-answer') && !isKind(error.failure, 'refused')) break
      }
    }
    return { newest: found, otherVersions }
  }
}

const saysOther = (version: number, api: OpenApi): VersionWatch['otherVersions'] =>
  api.version === null || isOfVersion(api, version) ? [] : [{ version, says: api.version }]

const noNewer: Support = { newer: null, supportedUntilAt: null, firstSeen: null }

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
