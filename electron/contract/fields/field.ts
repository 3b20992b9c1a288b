import type { FilterKind, FilterVocabulary } from '../filter/filter.ts'

/**
 * Type of a row's value, null if it is not known: `version` a firmware or program version, `time` epoch
 * milliseconds, `texts` several.
 */
type FieldType = 'text' | 'version' | 'number' | 'time' | 'flag' | 'texts'

/**
 * How a field sorts a list. `natural`: numbers by value (`Room 9` before `Room 12`). `text`: alphabetical,
 * ignoring case. `version`: by the parts of a version. `address`: by the numbers of an IP address. `mac`:
 * ignoring separators. `rank`: by the list's own order, worst first.
 */
export type SortKind = 'natural' | 'text' | 'version' | 'address' | 'mac' | 'number' | 'rank'

/**
 * How a cell shows it on screen. `figures` are aligned, `code` uses a monospaced font, an `age` is relative
 * to now.
 */
export type CellKind =
  | 'name'
  | 'text'
  | 'figures'
  | 'code'
  | 'age'
  | 'status'
  | 'compliance'
  | 'health'
  | 'kind'
  | 'outcome'
  | 'tags'

/** The filter key of a field. */
interface FilterToken {
  readonly key: string
  readonly kind: FilterKind
  readonly aliases?: readonly string[]
  readonly choices?: readonly string[]
  /** `key:""` is not allowed: the value is always known. */
  readonly always?: true
  /** Part of the filter language, so not a text of a locale. */
  readonly example: string
}

/** One row for each field of a list: filters, orders, columns, files and groups are derived from it. */
export interface Field {
  /** The row's member; its name as a column, in a sort order and in a file. */
  readonly key: string
  readonly type: FieldType
  /** It is read from the service's record: rows have a member, and the list's table a column, of its name and type. */
  readonly stored?: true
  /** Missing: lists cannot be sorted by it. */
  readonly sort?: SortKind
  /** Missing: lists cannot be filtered by it. */
  readonly filter?: FilterToken
  /** Its column title in a file (English in every locale). Missing: it is not exported. */
  readonly label?: string
  /** The list can be grouped by it. */
  readonly group?: true
  /** Missing: it is not a column on screen. */
  readonly cell?: CellKind
}

/** The first entry sorts, the next breaks ties. At most four. */
export type SortBy<C extends string> = readonly { readonly column: C; readonly descending: boolean }[]

/** Keys of the fields that have a member, such as `sort`, `cell`, `label` or `group`. */
export type KeysWith<F extends readonly Field[], M extends keyof Field> = Extract<
  F[number],
  { readonly [member in M]: unknown }
>['key']

/** The stored type of a field; null if not known, unless it is always known. */
export type Stored<F extends readonly Field[]> = {
  readonly [T in Extract<F[number], { readonly stored: true }> as T['key']]:
    | (T extends { readonly type: 'number' | 'time' } ? number : string)
    | (T extends { readonly filter: { readonly always: true } } ? never : null)
}

export const keysWith = <F extends readonly Field[], M extends keyof Field>(
  fields: F,
  member: M,
): readonly KeysWith<F, M>[] =>
  fields.filter((field) => field[member] !== undefined).map(({ key }) => key as KeysWith<F, M>)

/** The filter keys of fields that have one. */
export const tokenOf = <F extends readonly Field[]>(fields: F, key: KeysWith<F, 'filter'>): string =>
  fields.find((field) => field.key === key)?.filter?.key ?? key

/** The filter vocabulary of a list, in the order of its fields. */
export const vocabularyOf = (fields: readonly Field[]): FilterVocabulary =>
  fields.flatMap(({ filter }) => {
    if (filter === undefined) return []
    const { always = false, ...token } = filter
    return [{ aliases: [], choices: [], ...token, mayBeMissing: !always }]
  })
