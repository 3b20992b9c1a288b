import type { FilterKind, FilterVocabulary } from '../filter/filter.ts'

/**
 * What a row holds there, null where it is not known: `version` a firmware or program version, `time` epoch milliseconds, `texts` several.
 */
export type FieldType = 'text' | 'version' | 'number' | 'time' | 'flag' | 'texts'

/**
 * How a list is put in order by a field. `natural`: as people count (`Room 9` before `Room 12`). `text`: by the alphabet, whatever the case.
 * `version`: by the parts of a version. `address`: by the numbers of an IP address. `mac`: whatever its separators. `rank`: by an order of the list's own, worst first.
 */
export type SortKind = 'natural' | 'text' | 'version' | 'address' | 'mac' | 'number' | 'rank'

/** How a cell shows it on screen. `figures` line up, `code` stands in the font of code, an `age` is told from now. */
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

/** The word by which the filter language asks for a field. */
interface FilterToken {
  readonly key: string
  readonly kind: FilterKind
  readonly aliases?: readonly string[]
  readonly choices?: readonly string[]
  /** `key:""` cannot be asked: it is always known. */
  readonly always?: true
  /** The language itself, so no text of a locale. */
  readonly example: string
}

/** One row for each field of a list: filters, orders, columns, files and groups are made from it. */
export interface Field {
  /** The row's member; its name as a column, in an order and in a file. */
  readonly key: string
  readonly type: FieldType
  /** It is read from the service's record: rows have a member, and the list's table a column, of its name and type. */
  readonly stored?: true
  /** Missing: no list is put in order by it. */
  readonly sort?: SortKind
  /** Missing: it cannot be filtered by. */
  readonly filter?: FilterToken
  /** Its head in a file (English, in every language of the view). Missing: it goes into none. */
  readonly label?: string
  /** The list can be grouped by it. */
  readonly group?: true
  /** Missing: it is no column on screen. */
  readonly cell?: CellKind
}

/** The first entry decides, the next breaks its ties. At most four. */
export type SortBy<C extends string> = readonly { readonly column: C; readonly descending: boolean }[]

/** Keys of the fields that have a member, such as `sort`, `cell`, `label` or `group`. */
export type KeysWith<F extends readonly Field[], M extends keyof Field> = Extract<
  F[number],
  { readonly [member in M]: unknown }
>['key']

/** What is stored of a row; null where it is not told, unless it is always known. */
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

/** The word by which the filter language asks for a field that has one. */
export const tokenOf = <F extends readonly Field[]>(fields: F, key: KeysWith<F, 'filter'>): string =>
  fields.find((field) => field.key === key)?.filter?.key ?? key

/** What a list is filtered by, in the order of its fields. */
export const vocabularyOf = (fields: readonly Field[]): FilterVocabulary =>
  fields.flatMap(({ filter }) => {
    if (filter === undefined) return []
    const { always = false, ...token } = filter
    return [{ aliases: [], choices: [], ...token, mayBeMissing: !always }]
  })
