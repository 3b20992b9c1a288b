import type { Device } from '../../../electron/contract/api/devices.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import { readFilter } from '../../../electron/contract/filter/filter-reader.ts'
import type { FilterTerm, FilterVocabulary } from '../../../electron/contract/filter/filter.ts'
import { compareVersions } from '../../../electron/core/firmware/version-order.ts'

/** What stands in a key of one row: words, versions and texts as text, numbers as numbers, ages as the moment they count from. */
export type Field = readonly (string | number | null)[]
export type Reader<T> = (row: T, key: string) => Field

/** Where nothing is said of `gone`, what is gone is left out. Throws Failed `invalid` for a filter with problems, as the core does. */
export function matching<T extends object>(
  rows: readonly T[],
  where: string,
  rules: {
    readonly vocabulary: FilterVocabulary
    readonly read: Reader<T>
    readonly words: (row: T) => Field
    readonly nowAt: number
  },
  without: string | null = null,
): T[] {
  const { terms, problems } = readFilter(where, rules.vocabulary)
  if (problems[0])
    throw new Failed({
      kind: 'invalid',
      field: 'where',
      message: `${problems[0].kind} at ${problems[0].start}`,
    })
  const saysGone = terms.some((term) => term.key === 'gone')
  const asked = terms.filter((term) => term.key === null || term.key !== without)
  return rows.filter(
    (row) =>
      (saysGone || !('gone' in row) || row.gone !== true) &&
      asked.every((term) => holds(row, term, rules) !== term.negated),
  )
}

function holds<T>(
  row: T,
  term: FilterTerm,
  rules: {
    readonly vocabulary: FilterVocabulary
    readonly read: Reader<T>
    readonly words: (row: T) => Field
    readonly nowAt: number
  },
): boolean {
  if (term.key === null) return rules.words(row).some((word) => has(word, term.values[0] ?? ''))
  const kind = rules.vocabulary.find(({ key }) => key === term.key)?.kind ?? 'text'
  const field = rules.read(row, term.key).filter((one) => one !== null && one !== '')
  return term.values.some((value, index) => {
    if (value === '') return field.length === 0
    if (value.toLowerCase() === 'any' && term.key === 'gone') return true
    const number = term.numbers[index] ?? null
    return field.some((one) => {
      if (kind === 'age')
        return (
          typeof one === 'number' && number !== null && compares(rules.nowAt - one, number, term.comparison)
        )
      if (kind === 'number' || kind === 'product-id')
        return typeof one === 'number' && number !== null && compares(one, number, term.comparison)
      if (kind === 'version') return versionHolds(String(one), value, term.comparison)
      return kind === 'text' && term.comparison === 'has'
        ? has(one, value)
        : String(one).toLowerCase() === value.toLowerCase()
    })
  })
}

const has = (field: string | number | null, word: string): boolean =>
  field !== null && String(field).toLowerCase().includes(word.toLowerCase())

function compares(one: number, other: number, comparison: FilterTerm['comparison']): boolean {
  if (comparison === '<') return one < other
  if (comparison === '<=') return one <= other
  if (comparison === '>') return one > other
  return comparison === '>=' ? one >= other : one === other
}

/** `2.7` finds 2.7 and everything under it; with a sign versions are compared by their order; a word is the word. */
function versionHolds(one: string, value: string, comparison: FilterTerm['comparison']): boolean {
  const plain = value.replace(/^v/i, '')
  if (!/^\d/.test(plain)) return one.toLowerCase() === value.toLowerCase()
  if (!/^\d/.test(one)) return false
  if (comparison === 'has') return one === plain || one.startsWith(`${plain}.`)
  return comparison === 'is'
    ? compareVersions(one, plain) === 0
    : compares(compareVersions(one, plain), 0, comparison)
}

const deviceFields: Readonly<Record<string, (device: Device) => Field>> = {
  status: (device) => [device.status],
  fw: ({ firmwareVersion, firmware: { word, service } }) => [
    firmwareVersion,
    word,
    service === undefined ? null : { decides: 'by-service', contradicts: 'contradicted' }[service],
  ],
  age: (device) => [device.lastSeenAt],
  room: (device) => [device.room?.name ?? null],
  location: (device) => [device.room?.location ?? null],
  product: (device) => [device.productName],
  pid: (device) => [device.productId],
  variant: (device) => [device.variantType],
  name: (device) => [device.name],
  serial: (device) => [device.serialNumber],
  user: (device) => [device.userName],
  computer: (device) => [device.computerName],
  os: (device) => [device.operatingSystem],
  ip: (device) => [device.ipAddress],
  mac: (device) => [device.macAddress],
  client: (device) => [device.clientName],
  'client-version': (device) => [device.clientVersion],
  'client-type': (device) => [device.clientType],
  group: (device) => [device.groupId],
  id: (device) => [device.id],
  tag: (device) => device.tags,
  added: (device) => [device.addedAt],
  read: (device) => [device.observedAt],
  gone: (device) => [device.gone ? 'yes' : 'no'],
}
/** `fw:""` asks for the version alone: a standing is always known, if only as `unknown`. */
export const deviceField: Reader<Device> = (device, key) =>
  key === 'fw' && device.firmwareVersion === null ? [] : (deviceFields[key]?.(device) ?? [])
export const deviceWords = (device: Device): Field => [
  device.name,
  device.serialNumber,
  device.productName,
  device.macAddress,
  device.userName,
  device.room?.name ?? null,
  device.room?.location ?? null,
  device.computerName,
  device.id,
]

/** The first entry decides, the next breaks its ties, the last word is the row's own place. What is not known comes last either way. */
export function sorted<T>(
  rows: readonly T[],
  sort: readonly { readonly column: string; readonly descending: boolean }[],
  read: (row: T, column: string) => string | number | null,
): T[] {
  return rows.toSorted((a, b) => {
    for (const { column, descending } of sort) {
      const [x, y] = [read(a, column), read(b, column)]
      if (x === y) continue
      if (x === null) return 1
      if (y === null) return -1
      const order =
        typeof x === 'number' && typeof y === 'number' ? x - y : collator.compare(String(x), String(y))
      if (order !== 0) return descending ? -order : order
    }
    return 0
  })
}
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

export function counted<T>(
  list: readonly T[],
  of: (item: T) => string | null,
): { readonly word: string; readonly count: number }[] {
  const counts = new Map<string, number>()
  for (const item of list) {
    const word = of(item)
    if (word !== null && word !== '') counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return [...counts]
    .map(([word, count]) => ({ word, count }))
    .sort((a, b) => b.count - a.count || collator.compare(a.word, b.word))
}

/** Words of a field that hold what is typed, those that begin with it first, most first, at most 20. */
export function suggested<T>(
  rows: readonly T[],
  key: string,
  typed: string,
  read: Reader<T>,
): { readonly word: string; readonly count: number }[] {
  const lower = typed.toLowerCase()
  const words = rows.flatMap((row) => read(row, key).map((one) => (one === null ? '' : String(one))))
  const holding = counted(words, (word) => (word.toLowerCase().includes(lower) ? word : null))
  const begins = (word: string): number => (word.toLowerCase().startsWith(lower) ? 0 : 1)
  return holding.sort((a, b) => begins(a.word) - begins(b.word)).slice(0, 20)
}
