import type { FilterComparison, FilterTerm } from '../../contract/filter/filter.ts'
import {
  clientTypeWords,
  deviceVocabulary,
  firmwareServiceWords,
  firmwareStandingWords,
} from '../../contract/filter/filter-words.ts'
import { termsIn } from '../../contract/filter/filter-terms.ts'
import { versionBeginnings, versionKey } from '../firmware/firmware.ts'
import { allOf, anyOf, condition, notTrue, type Condition } from './condition.ts'
import { bareMac, type TextColumn } from './device-rows.ts'
import { freeWord } from './free-words.ts'
import { comparable, comparedColumn, inRoom, like, narrowed, ofClass } from './text-conditions.ts'

/** What a filter is asked about. */
export interface Asked {
  readonly organizationId: string
  /** Under which name the standings of firmware are that count: the organization's id, or one run's own. */
  readonly standings: string
  /** Epoch milliseconds against which ages are told. */
  readonly now: number
}

/** Throws Failed `invalid`, field `where`, naming what is not understood. */
export const deviceTerms = (where: string): readonly FilterTerm[] => termsIn(where, deviceVocabulary)

/** Rows of the organization for which every term holds. Where nothing is said of `gone`, devices that are gone are left out. */
export function filterCondition(asked: Asked, terms: readonly FilterTerm[]): Condition {
  const own = condition('d.organization_id = ?', asked.organizationId)
  const there = terms.some(({ key }) => key === 'gone') ? [] : [condition('d.gone = 0')]
  return allOf([own, ...there, ...terms.map((term) => termCondition(asked, term))])
}

export function termCondition(asked: Asked, term: FilterTerm): Condition {
  const any = anyOf(
    term.values.map((value, index) => valueCondition(asked, term, value, term.numbers[index] ?? null)),
  )
  return term.negated ? notTrue(any) : any
}

/** Keys whose text stands in a column of the row; `searched`: it is among the row's words, so the full-text index narrows it. */
export const textKeys: Readonly<Record<string, { readonly column: TextColumn; readonly searched: boolean }>> =
  {
    name: { column: 'name', searched: false },
    serial: { column: 'serial_number', searched: true },
    user: { column: 'user_name', searched: true },
    computer: { column: 'computer_name', searched: true },
    os: { column: 'operating_system', searched: false },
    ip: { column: 'ip_address', searched: false },
    client: { column: 'client_name', searched: false },
    variant: { column: 'variant_type', searched: false },
    group: { column: 'group_id', searched: false },
    id: { column: 'id', searched: false },
  }

function valueCondition(
  asked: Asked,
  { key, comparison }: FilterTerm,
  value: string,
  number: number | null,
): Condition {
  const { organizationId, standings } = asked
  const whole = comparison === 'is'
  const text = comparable(value)
  const known = key === null ? undefined : textKeys[key]
  if (known !== undefined) return textCondition(known, text, whole || key === 'group' || key === 'id')
  switch (key) {
    case null:
      return freeWord(organizationId, text)
    case 'status':
      return ofClass(organizationId, like('c.status_words', text, true))
    case 'product':
      return value === ''
        ? ofClass(organizationId, condition('c.product_name IS NULL'))
        : ofClass(organizationId, like('c.product_words', text, whole))
    case 'pid':
      return ofClass(
        organizationId,
        value === '' ? condition('c.product_id IS NULL') : condition('c.product_id = ?', number),
      )
    case 'fw':
      return ofClass(organizationId, firmwareCondition(standings, comparison, value))
    case 'client-version':
      return versionCondition('d.client_key', comparison, value)
    case 'client-type':
      return value === ''
        ? condition('d.client_type IS NULL')
        : condition('d.client_type = ? COLLATE NOCASE', clientTypeNamed(value))
    case 'mac':
      return macCondition(value, whole)
    case 'room':
      // A room whose name is not told is a room all the same.
      return value === ''
        ? notTrue(inRoom(organizationId, condition('1')))
        : inRoom(organizationId, like(roomName, text, whole))
    case 'location':
      return value === ''
        ? notTrue(inRoom(organizationId, condition('y.location IS NOT NULL')))
        : inRoom(organizationId, like(roomLocation, text, whole))
    case 'tag':
      return value === ''
        ? notTrue(
            condition(
              `d.id IN (SELECT k.device_id FROM device_mark k WHERE k.organization_id = ? AND k.kind = 'tag')`,
              organizationId,
            ),
          )
        : marked(organizationId, 'tag', text)
    case 'list':
      return marked(organizationId, 'list', text)
    case 'age':
      return value === ''
        ? condition('d.last_seen_at IS NULL')
        : ageCondition('d.last_seen_at', asked.now, comparison, number)
    case 'added':
      return value === ''
        ? condition('d.added_at IS NULL')
        : ageCondition('d.added_at', asked.now, comparison, number)
    case 'read':
      return ageCondition(
        '(SELECT o.observed_at FROM raw_record o WHERE o.row_id = d.row_id)',
        asked.now,
        comparison,
        number,
      )
    case 'gone':
      return (
        { no: condition('d.gone = 0'), yes: condition('d.gone = 1') }[value.toLowerCase()] ?? condition('1')
      )
    default:
      throw new Error(`No condition is written for the filter key ${key}`)
  }
}

/** `meeting-room` is `MeetingRoom`. */
const clientTypeNamed = (value: string): string =>
  clientTypeWords.find((word) => word.toLowerCase() === value.toLowerCase().replaceAll(/[\s_-]/g, '')) ??
  value

function textCondition(
  { column, searched }: { readonly column: TextColumn; readonly searched: boolean },
  text: string,
  whole: boolean,
): Condition {
  if (text === '') return condition(`d.${column} IS NULL`)
  const decides = like(comparedColumn(column), text, whole)
  const narrows = searched ? narrowed(text) : null
  return narrows === null ? decides : allOf([narrows, decides])
}

/** The first line of a room's words, and the next: its name and its location, folded, where the record tells them. */
const firstLine = (text: string): string => `substr(${text}, 1, instr(${text} || char(10), char(10)) - 1)`
export const roomName = `(CASE WHEN y.name IS NOT NULL THEN ${firstLine('y.words')} END)`
const afterName =
  '(CASE WHEN y.name IS NULL THEN y.words ELSE substr(y.words, instr(y.words, char(10)) + 1) END)'
export const roomLocation = `(CASE WHEN y.location IS NOT NULL THEN ${firstLine(afterName)} END)`

function macCondition(value: string, whole: boolean): Condition {
  if (value === '') return condition('d.mac IS NULL')
  const bare = bareMac(comparable(value))
  if (bare === '') return condition('0')
  const decides = like('d.mac', bare, whole)
  const narrows = narrowed(bare)
  return narrows === null ? decides : allOf([narrows, decides])
}

const marked = (organizationId: string, kind: 'tag' | 'list', word: string): Condition =>
  condition(
    'd.id IN (SELECT k.device_id FROM device_mark k WHERE k.organization_id = ? AND k.kind = ? AND k.word = ?)',
    organizationId,
    kind,
    word.trim(),
  )

/** On a class `c`: a version, or how it stands against the catalogue, else by the service's word; what has neither is unknown. */
function firmwareCondition(standings: string, comparison: FilterComparison, value: string): Condition {
  const word = value.toLowerCase()
  if (![...firmwareStandingWords, ...firmwareServiceWords].some((one) => one === word))
    return versionCondition('c.firmware_key', comparison, value)
  const stands = (sql: string): string =>
    `(c.product_id, c.firmware_version) IN (SELECT s.product_id, s.firmware_version FROM firmware_standing s WHERE s.organization_id = ? AND ${sql})`
  const compared = condition(stands(`s.word <> 'unknown'`), standings)
  const saidBehind = condition(stands(`s.word IN ('behind', 'revoked')`), standings)
  switch (word) {
    case 'unknown':
      return allOf([notTrue(compared), condition('c.service IS NULL')])
    case 'by-service':
      return allOf([notTrue(compared), condition('c.service IS NOT NULL')])
    case 'contradicted':
      return allOf([
        compared,
        anyOf([
          allOf([saidBehind, condition(`c.service = 'current'`)]),
          allOf([notTrue(saidBehind), condition(`c.service = 'behind'`)]),
        ]),
      ])
    default:
      return anyOf([
        condition(stands('s.word = ?'), standings, word),
        allOf([notTrue(compared), condition('c.service = ?', word)]),
      ])
  }
}

/** A version names every version below it by parts; `=` that one alone. What is no version stands in no order. */
function versionCondition(column: string, comparison: FilterComparison, value: string): Condition {
  if (value === '') return condition(`${column} IS NULL`)
  if (comparison === 'is') return condition(`${column} = ?`, versionKey(value))
  if (comparison === 'has')
    return anyOf(
      versionBeginnings(value).map((beginning) =>
        condition(`(${column} >= ? AND ${column} < ?)`, beginning, `${beginning}\u{10ffff}`),
      ),
    )
  return condition(`(${column} >= '2' AND ${column} ${comparison} ?)`, versionKey(value))
}

/** Older is an earlier time: `>7d` is before the moment seven days ago. Never matches what is not known. */
function ageCondition(
  expression: string,
  now: number,
  comparison: FilterComparison,
  ageInMs: number | null,
): Condition {
  const turned = { '>': '<', '>=': '<=', '<': '>', '<=': '>=', is: '=', has: '=' }[comparison]
  return condition(`${expression} ${turned} ?`, momentAgo(now, ageInMs ?? 0))
}

/**
 * The moment a while ago, in steps of a hundredth of that while, one second to one minute: within a step the same question has the same
 * parameters, so that the order that is kept for it serves every window of it. Chosen.
 */
export function momentAgo(now: number, ageInMs: number): number {
  const step = Math.min(Math.max(Math.round(ageInMs / 100), 1_000), 60_000)
  return Math.floor(now / step) * step - Math.round(ageInMs)
}
