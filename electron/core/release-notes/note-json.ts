import type { FirmwareRelease } from '../../contract/api/firmware.ts'
import type { NoteFormat } from '../../contract/api/release-notes.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import { firstOf, objectOf, scalarTextOf } from '../metadata/metadata.ts'
import { namesSomeProduct, productEvidence, type Place, type WantedProduct } from './content-evidence.ts'

/** A text found where notes are expected, as received. */
export interface PublishedNote {
  readonly version: string | null
  readonly format: NoteFormat
  readonly text: string
}

export interface PublishedNotes {
  readonly notes: readonly PublishedNote[]
  /** A value found where notes are expected that is neither a text nor a link. */
  readonly other: readonly Json[]
}

const deepest = 16
/** Maximum of notes. Raise it if real products have more. */
const notesAtMost = 400

const notesName = /release_?-?\s?notes?|change_?-?\s?log|what_?-?\s?s_?-?\s?new|^notes?$/i
const versionNames = ['version', 'firmwareVersion', 'releaseVersion', 'versionNumber']
const typeNames = ['type', 'kind', 'key', 'category', 'linkType']
const formatNames = ['format', 'contentType', 'mimeType', 'mediaType', 'textFormat', 'type']
const textNames =
  /^(?:text|body|content|html|markdown|md|notes?|release_?notes?|description|details|summary|changes|highlights|fixes|value|plain|message|items|sections?|paragraphs?)$/i
const isVersion = (text: string): boolean => /^v?\d{1,9}(?:\.\d{1,9}){1,4}(?:[-+ ]\S*)?$/i.test(text.trim())
const isLanguage = (name: string): boolean => /^[a-z]{2}(?:[-_][a-z]{2,4})?$/i.test(name)
const isAddress = (text: string): boolean => /^(?:[a-z][a-z0-9+.-]*:|\/|\.{1,2}\/)\S*$/i.test(text.trim())

/** Whether a member, or a declared type, is for notes. */
export const isForNotes = (name: string): boolean => notesName.test(name)

/**
 * The context of a text: whether it is about the product, which version it is about, whether it is a note,
 * and its declared format.
 */
interface Around {
  readonly isWanted: boolean
  readonly version: string | null
  readonly isNote: boolean
  readonly format: NoteFormat | null
}

/**
 * Every note of a document about the product, in document order: from `record`, and from any record whose
 * evidence is at least `strength`. Never throws.
 */
export function notesIn(
  document: Json,
  wanted: WantedProduct,
  { record: chosen, strength }: { readonly record: JsonObject; readonly strength: number },
): PublishedNotes {
  const notes: PublishedNote[] = []
  const other: Json[] = []

  const add = (text: string, around: Around): void => {
    const isThere = notes.some((one) => one.version === around.version && one.text === text)
    if (!isThere && notes.length < notesAtMost)
      notes.push({ version: around.version, format: around.format ?? formatOf(text), text })
  }

  /** Returns whether the value contains a note or a link. */
  const walk = (value: Json, place: Place, outside: Around, depth: number): boolean => {
    if (depth > deepest) return false
    const evidence = value === chosen ? 4 : (productEvidence(value, place, wanted)?.strength ?? 0)
    if (outside.isWanted && evidence === 0 && namesSomeProduct(value)) return false
    const around = { ...outside, isWanted: outside.isWanted || evidence >= Math.min(strength, 2) }
    if (typeof value === 'string') {
      if (!around.isWanted || !around.isNote || value.trim() === '') return false
      if (!isAddress(value)) add(value, around)
      return true
    }
    if (Array.isArray(value)) return walkList(value as readonly Json[], place, around, depth)
    const record = objectOf(value)
    return record !== null && walkRecord(record, place, around, depth)
  }

  const walkList = (list: readonly Json[], place: Place, around: Around, depth: number): boolean => {
    const lines = list.filter((item) => typeof item === 'string')
    // Lines of one note, unless they are separate notes.
    if (
      around.isWanted &&
      around.isNote &&
      list.length > 1 &&
      lines.length === list.length &&
      !lines.some(isAddress)
    ) {
      const isShort = lines.every((line) => !line.trim().includes('\n') && formatOf(line) === 'plain')
      if (isShort) add(lines.map((line) => `- ${line.trim()}`).join('\n'), { ...around, format: 'plain' })
      else for (const line of lines) add(line, around)
      return true
    }
    const inside: Place = { key: null, above: place.key, beside: [] }
    const read = list.map((item) => walk(item, inside, around, depth + 1))
    if (around.isWanted && around.isNote && read.includes(true))
      other.push(
        ...list.filter((item, at) => read[at] === false && typeof item === 'object' && item !== null),
      )
    return read.includes(true)
  }

  const walkRecord = (record: JsonObject, { key }: Place, around: Around, depth: number): boolean => {
    const own = firstOf(record, versionNames, scalarTextOf)
    const declared = typeNames.some((member) => notesName.test(scalarTextOf(record[member]) ?? ''))
    const here: Around = {
      isWanted: around.isWanted,
      version: own ?? (key !== null && isVersion(key) ? key : around.version),
      isNote: around.isNote || declared,
      format: firstOf(record, formatNames, declaredFormat) ?? around.format,
    }
    const entries = Object.entries(record)
    const languages = entries.filter(([member, value]) => isLanguage(member) && typeof value === 'string')
    if (here.isNote && languages.length > 0 && languages.length === entries.length) {
      // One language is used: English if available, else the first.
      const [, text] = languages.find(([member]) => /^en/i.test(member)) ?? languages[0] ?? []
      return walk(text ?? '', { key: null, above: key, beside: [] }, here, depth + 1)
    }
    const beside = entries.map(([member]) => member)
    return entries
      .map(([member, value]) => {
        const begins = notesName.test(member)
        const isText = begins || textNames.test(member) || isVersion(member)
        const inside: Around = {
          isWanted: here.isWanted,
          version: isVersion(member) ? member : here.version,
          isNote: begins || (here.isNote && (isText || typeof value === 'object')),
          format: declaredFormat(member) ?? here.format,
        }
        const isRead = walk(value, { key: member, above: key, beside }, inside, depth + 1)
        if (here.isWanted && begins && !isRead && value !== null && value !== '' && !isEmpty(value))
          other.push({ [member]: value })
        return isRead || (here.isNote && typeof value === 'string' && isAddress(value))
      })
      .includes(true)
  }

  walk(
    document,
    { key: null, above: null, beside: [] },
    { isWanted: false, version: null, isNote: false, format: null },
    0,
  )
  return { notes, other }
}

const isEmpty = (json: Json): boolean =>
  typeof json === 'object' && json !== null && Object.keys(json).length === 0

function declaredFormat(json: Json | undefined): NoteFormat | null {
  const word = typeof json === 'string' ? json.trim().toLowerCase() : ''
  if (/^(?:text\/)?(?:x?html)$|^application\/xhtml\+xml$/.test(word)) return 'html'
  if (/^(?:text\/(?:x-)?)?(?:markdown|md)$/.test(word)) return 'markdown'
  return /^(?:text\/)?plain(?:text)?$/.test(word) ? 'plain' : null
}

/** Texts of a release record: they always belong to its version. */
export function notesOfRelease({ version, raw }: FirmwareRelease): readonly PublishedNote[] {
  const nobody: WantedProduct = {
    vendorId: -1,
    productId: -1,
    entityIds: new Set(),
    names: new Set(),
    groupNames: new Set(),
  }
  return notesIn(raw, nobody, { record: raw, strength: 4 }).notes.map((note) => ({ ...note, version }))
}

/** The format of a text without a declared one. */
export function formatOf(text: string): NoteFormat {
  if (/<\/?(?:p|br|div|ul|ol|li|h[1-6]|table|tr|td|b|strong|em|i|a|span|pre|code)\b[^<>]*>/i.test(text))
    return 'html'
  const isMarkdown =
    /^(?:#{1,6} \S|\s*(?:[-*+]|\d{1,3}[.)]) \S|```|\|.*\|\s*$)/m.test(text) ||
    /\*\*[^*\n]+\*\*|\[[^\]\n]+\]\([^()\s]+\)/.test(text)
  return isMarkdown ? 'markdown' : 'plain'
}
