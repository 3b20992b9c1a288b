import type { ChangeGroup, ChangeGroupKind, ChangeRow } from '../../contract/api/changes.ts'
import type { ChangeKind } from '../../contract/api/changes.ts'
import { deviceTitle, subjectOf } from '../../contract/device-name.ts'
import { Failed } from '../../contract/failure.ts'
import type { Database, SqlRow } from '../platform.ts'
import { allOf, condition, isNotTrue, type Condition } from '../lists/condition.ts'
import { besideChange, changeRowOf, rowColumns } from './change-rows.ts'
import type { LocalDays } from './local-days.ts'
import { isOwn, type OwnChanges } from './own-writes.ts'
import { textOrNull } from '../storage/row-values.ts'

/** Maximum of the contract: more groups are not useful on a page. */
const groupsAtMost = 500

/** Kinds that call for work first. Change the order if people look for another kind first. */
export const kindsByWork: readonly ChangeKind[] = [
  'gone',
  'went-offline',
  'firmware-changed',
  'moved-room',
  'setting-changed',
  'status-changed',
  'appeared',
  'rebooted',
  'renamed',
  'came-back',
  'back-online',
]
const rank = new Map(kindsByWork.map((kind, index) => [kind, index]))

/**
 * Changes of devices that are in no room now and went online or offline: they are combined, because single
 * lines are of no use. Both parameters are the organization. The index is named because SQLite would
 * otherwise go through every device for every room (measured at 100,000 devices and 6,000 rooms: 44 s; with
 * it 0.07 s).
 */
const comesAndGoes = `c.subject = 'device' AND c.kind IN ('went-offline', 'back-online') AND c.subject_id NOT IN (
  SELECT d.id FROM record_alias a CROSS JOIN device_row d INDEXED BY device_row_group ON d.organization_id = a.organization_id AND d.group_id = a.alias
  WHERE a.organization_id = ? AND a.kind = 'room' AND a.id IS NOT NULL
  UNION ALL SELECT m.device_id FROM room_member m WHERE m.organization_id = ?)`
export const onOff = (organizationId: string): Condition =>
  condition(`(${comesAndGoes})`, organizationId, organizationId)

/** Groups of these kinds show the product and both values, or only both values. */
const detailed = `'firmware-changed', 'status-changed'`

/**
 * The changes of a group: of a time range, of one kind, and, if `values` is given, of one product with both
 * values.
 */
interface GroupKey {
  readonly from: number
  readonly until: number
  readonly of: 'device' | 'room'
  readonly kind: ChangeGroupKind
  readonly values: readonly [product: string | null, before: string | null, after: string | null] | null
  /** Not caused by Headroom, by any own write, or by one job (null: by none). */
  readonly own: 'no' | 'any' | { readonly job: string | null }
}

/** A group as counted, before its names are known. */
interface Counted {
  readonly day: number
  readonly of: 'device' | 'room'
  readonly kind: ChangeGroupKind
  readonly values: GroupKey['values']
  readonly own: GroupKey['own']
  readonly subjectId: string | null
  readonly count: number
  readonly firstAt: number
  readonly lastAt: number
  /** Ids of some of its changes. */
  readonly ids: readonly number[]
}

/**
 * Maximum length of the text of a group's ids: about a dozen ids, so that three different subjects are among
 * them. Raise it if groups show fewer names.
 */
const idCharacters = 120
const sums = `count(*) AS n, min(c.observed_at) AS first_at, max(c.observed_at) AS last_at, substr(group_concat(c.id), 1, ${idCharacters}) AS ids, min(c.subject_id) AS first_subject, max(c.subject_id) AS last_subject`

/** The properties that define groups. */
export interface Grouping {
  readonly organizationId: string
  readonly days: LocalDays
  readonly own: OwnChanges
  /** Devices outside rooms that go on- and offline form their own groups. */
  readonly folded: boolean
}

/** The groups of the changes matching `where`, at most 500: the README says how older days are combined. */
export async function queryGroups(
  database: Database,
  where: Condition,
  { organizationId, days, own, folded }: Grouping,
): Promise<readonly ChangeGroup[]> {
  const day = days.sql('c.observed_at')
  const kind = folded
    ? condition(`CASE WHEN ${comesAndGoes} THEN 'on-off' ELSE c.kind END`, organizationId, organizationId)
    : condition('c.kind')
  const ownIds = JSON.stringify([...own])
  /** Own changes are looked up by their ids: a join would scan them for each of the others. */
  const sources = [
    {
      by: `'no'`,
      own: condition(''),
      from: 'change c',
      // Without own changes the index is sufficient.
      but: own.size === 0 ? condition('1') : isOwn(own.keys(), false),
    },
    {
      by: `json_object('job', o.job)`,
      own: condition(
        'WITH own AS MATERIALIZED (SELECT value ->> 0 AS id, value ->> 1 AS job FROM json_each(?))',
        ownIds,
      ),
      from: 'own o CROSS JOIN change c ON c.id = o.id',
      but: condition('1'),
    },
  ].slice(0, own.size === 0 ? 1 : 2)
  const counted = await Promise.all(
    sources.flatMap(({ by, own: withOwn, from, but }) => [
      database.query(
        `${withOwn.sql} SELECT ${day} AS day, c.subject, ${kind.sql} AS kind, ${by} AS own, ${sums}
         FROM ${from} WHERE ${where.sql} AND ${but.sql} AND c.kind NOT IN (${detailed}) GROUP BY 1, 2, 3, 4`,
        [...withOwn.parameters, ...kind.parameters, ...where.parameters, ...but.parameters],
      ),
      database.query(
        `${withOwn.sql} SELECT ${day} AS day, c.subject, c.kind, ${by} AS own, CASE c.kind WHEN 'firmware-changed' THEN p.product_name END AS product, c.before, c.after, ${sums}
         FROM ${from} LEFT JOIN device_row p ON c.kind = 'firmware-changed' AND p.organization_id = c.organization_id AND p.id = c.subject_id
         WHERE ${where.sql} AND ${but.sql} AND c.kind IN (${detailed}) GROUP BY 1, 2, 3, 4, 5, 6, 7`,
        [...withOwn.parameters, ...where.parameters, ...but.parameters],
      ),
    ]),
  )
  const chosen = fewEnough(counted.flat().map(countedOf))
  const known = await rowsOf(database, chosen)
  return chosen.map((group): ChangeGroup => {
    const { of, kind: groupKind, values, own: doing, subjectId, count, firstAt, lastAt } = group
    const [productName, before, after] = values ?? [null, null, null]
    const from = group.day === beforeAll ? 0 : days.startOf(group.day)
    const until = days.startOf((group.day === beforeAll ? group.visibleOn : group.day) + 1)
    const key: GroupKey = { from, until, of, kind: groupKind, values, own: doing }
    return {
      key: JSON.stringify(key),
      dayAt: days.startOf(group.visibleOn),
      of,
      kind: groupKind,
      own: doing === 'no' ? null : { jobId: doing === 'any' ? null : doing.job },
      subjectId,
      productName,
      before,
      after,
      count,
      firstAt,
      lastAt,
      ...namesOf(
        count,
        group.ids.toSorted((a, b) => a - b).flatMap((id) => known.get(id) ?? []),
      ),
    }
  })
}

/** Rows with a previous value belong to groups that show their values. */
function countedOf(row: SqlRow): Counted {
  const ids = String(row['ids'])
  const whole = ids.length < idCharacters ? ids : ids.slice(0, ids.lastIndexOf(','))
  return {
    day: Number(row['day']),
    of: row['subject'] === 'room' ? 'room' : 'device',
    kind: String(row['kind']) as ChangeGroupKind,
    own: row['own'] === 'no' ? 'no' : (JSON.parse(String(row['own'])) as { job: string | null }),
    subjectId: row['first_subject'] === row['last_subject'] ? textOrNull(row['first_subject']) : null,
    values:
      'before' in row
        ? [textOrNull(row['product']), textOrNull(row['before']), textOrNull(row['after'])]
        : null,
    count: Number(row['n']),
    firstAt: Number(row['first_at']),
    lastAt: Number(row['last_at']),
    ids: whole.split(',').map(Number),
  }
}

interface VisibleGroup extends Counted {
  /** The day under which it is shown. */
  readonly visibleOn: number
}

/** The day of groups that contain all earlier days too. */
const beforeAll = -1

/** Own changes come after those of others, and `on-off` comes last. */
const rankOf = ({ kind, own }: VisibleGroup): number =>
  kind === 'on-off' ? 3 * kindsByWork.length : (rank.get(kind) ?? 0) + (own === 'no' ? 0 : kindsByWork.length)

const byDay = (a: VisibleGroup, b: VisibleGroup): number =>
  b.visibleOn - a.visibleOn ||
  rankOf(a) - rankOf(b) ||
  b.count - a.count ||
  a.firstAt - b.firstAt ||
  a.of.localeCompare(b.of)

/**
 * Newest day first, in order; if there are too many groups, groups of the oldest days are first combined
 * regardless of their values, then into one day.
 */
function fewEnough(counted: readonly Counted[]): readonly VisibleGroup[] {
  const all = counted.map((group): VisibleGroup => ({ ...group, visibleOn: group.day }))
  if (all.length <= groupsAtMost) return all.sort(byDay)
  const byDays = [...Map.groupBy(all, ({ day }) => day)].sort(([a], [b]) => b - a).map(([, groups]) => groups)
  let left = all.length
  const coarse = byDays.toReversed().map((groups) => {
    if (left <= groupsAtMost) return groups
    const together = foldedTogether(groups, (group) => group.day)
    left -= groups.length - together.length
    return together
  })
  const days = coarse.toReversed()
  if (left <= groupsAtMost) return days.flat().sort(byDay)
  const grouped: VisibleGroup[] = []
  for (const [index, groups] of days.entries()) {
    if (grouped.length + groups.length + kindsByWork.length * 2 > groupsAtMost)
      return [...grouped, ...foldedTogether(days.slice(index).flat(), () => beforeAll)].sort(byDay)
    grouped.push(...groups)
  }
  return grouped.sort(byDay)
}

/** One group for each kind of change of devices and of rooms, shown under its newest day. */
function foldedTogether(
  groups: readonly VisibleGroup[],
  dayOf: (group: VisibleGroup) => number,
): VisibleGroup[] {
  return [...Map.groupBy(groups, ({ of, kind, own }) => `${of} ${kind} ${own === 'no'}`).values()].map(
    (same) =>
      same.reduce((one, other) => ({
        ...one,
        day: dayOf(one),
        visibleOn: Math.max(one.visibleOn, other.visibleOn),
        values: null,
        own: one.own === 'no' ? 'no' : 'any',
        subjectId: one.subjectId === other.subjectId ? one.subjectId : null,
        count: one.count + other.count,
        firstAt: Math.min(one.firstAt, other.firstAt),
        lastAt: Math.max(one.lastAt, other.lastAt),
        ids: one.firstAt <= other.firstAt ? one.ids : other.ids,
      })),
  )
}

/** The current data of some changes of each group, by id. */
async function rowsOf(database: Database, groups: readonly Counted[]) {
  const rows = await database.query(
    `SELECT ${rowColumns} FROM change c ${besideChange} WHERE c.id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(groups.flatMap(({ ids }) => ids))],
  )
  return new Map(rows.map(changeRowOf).map((row) => [row.id, row]))
}

/** The first three names, and the product of all of `rows`: devices of one room have the same name. */
function namesOf(
  count: number,
  rows: readonly Omit<ChangeRow, 'own' | 'jobId'>[],
): Pick<ChangeGroup, 'names' | 'more' | 'product'> {
  const titles = rows.map((row) => deviceTitle(subjectOf(row)))
  const names = [...new Set(titles)].slice(0, 3)
  const id = rows[0]?.productId ?? null
  return {
    names,
    more: count - titles.filter((title) => names.includes(title)).length,
    product:
      id !== null && rows.every((row) => row.productId === id)
        ? { id, name: rows[0]?.productName ?? null }
        : null,
  }
}

/** The changes of a group. Throws Failed `invalid`, field `group`, for an unknown key. */
export function groupCondition(
  text: string,
  { organizationId, own, folded }: Omit<Grouping, 'days'>,
): Condition {
  const { from, until, of, kind, values, own: doing } = keyOf(text)
  const ownIds = [...own]
    .filter(([, job]) => typeof doing === 'string' || job === doing.job)
    .map(([id]) => id)
  const all = allOf([
    condition('c.observed_at >= ? AND c.observed_at < ? AND c.subject = ?', from, until, of),
    kind === 'on-off' ? onOff(organizationId) : condition('c.kind = ?', kind),
    ...(folded && (kind === 'went-offline' || kind === 'back-online')
      ? [isNotTrue(onOff(organizationId))]
      : []),
    ...(doing === 'no' && ownIds.length === 0 ? [] : [isOwn(ownIds, doing !== 'no')]),
  ])
  if (values === null) return all
  const [product, before, after] = values
  const same = condition('c.before IS ? AND c.after IS ?', before, after)
  const ofProduct =
    kind === 'firmware-changed'
      ? condition(
          '(SELECT p.product_name FROM device_row p WHERE p.organization_id = c.organization_id AND p.id = c.subject_id) IS ?',
          product,
        )
      : condition('1')
  return allOf([all, same, ofProduct])
}

function keyOf(text: string): GroupKey {
  const key = parsed(text) as Partial<GroupKey> | null
  const isValues = (values: unknown): boolean =>
    values === null ||
    (Array.isArray(values) &&
      values.length === 3 &&
      values.every((value) => value === null || typeof value === 'string'))
  if (
    typeof key !== 'object' ||
    key === null ||
    typeof key.from !== 'number' ||
    typeof key.until !== 'number' ||
    typeof key.of !== 'string' ||
    typeof key.kind !== 'string' ||
    !isDoing(key.own) ||
    !isValues(key.values)
  )
    throw Failed.invalid('group', 'There is no such group of changes.')
  return key as GroupKey
}

const isDoing = (own: unknown): boolean =>
  own === 'no' ||
  own === 'any' ||
  (typeof own === 'object' &&
    own !== null &&
    'job' in own &&
    (own.job === null || typeof own.job === 'string'))

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
