import type { Json } from '../../contract/json.ts'
import { isLoopback } from '../../contract/loopback.ts'

/** Whether a link may be offered: https, or http to this computer (the demonstration). */
export function isOfferable(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return hostname !== '' && (protocol === 'https:' || isLoopback(hostname))
}

export const isHttps = (text: string): boolean =>
  /^https:\/\//i.test(text) && URL.canParse(text) && new URL(text).hostname !== ''

/**
 * Target of a document's link. `offered` false: plain http to another computer, or another scheme; it is
 * shown and not opened.
 */
export interface Destination {
  readonly url: string
  readonly offered: boolean
}

/** A file name or a path: `files/a.zip`, `a.zip?sig=1`, also with blanks in it (services.md#A22). */
const looksRelative = /^(?:[^\s:?#]*\/[^\s:?#]+|[^:?#]*\.[a-z0-9]{2,5})(?:[?#]\S*)?$/i
const fromTheRoot = /^(?:\/|\.{1,2}\/)./

/**
 * A link in a document: an address, unchanged except for blanks at its ends, or one relative to the document
 * (`/path`, `//host/path`, and `path/file.zip` if `bare` paths are allowed). null: not an address.
 */
export function destinationOf(text: string, documentUrl: string, bare = true): Destination | null {
  const link = text.trim()
  // URL would treat a backslash as a slash and drop invisible characters.
  if (link === '' || /[\\\p{Cc}]/u.test(link)) return null
  if (/^https?:\/\//i.test(link))
    return !URL.canParse(link) || new URL(link).hostname === ''
      ? null
      : { url: link, offered: isOfferable(link) }
  if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return { url: link, offered: false }
  if (!bare && (/\s/.test(link) || !fromTheRoot.test(link))) return null
  if (!fromTheRoot.test(link) && !looksRelative.test(link)) return null
  if (!URL.canParse(link, documentUrl)) return null
  const url = new URL(link, documentUrl)
  // Only the demonstration, the source of the document, may use http, not another host.
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && link.startsWith('//')) url.protocol = 'https:'
  return url.hostname === '' ? null : { url: url.href, offered: isOfferable(url.href) }
}

/** A text and the names of the members on the path to it. */
export interface TextAtPath {
  readonly path: readonly string[]
  readonly text: string
}

/** Every text in a JSON value in document order; nothing deeper than `depth`. */
export function textsWithin(json: Json, path: readonly string[] = [], depth = 16): readonly TextAtPath[] {
  if (typeof json === 'string') return [{ path, text: json }]
  if (typeof json !== 'object' || json === null || depth === 0) return []
  return Object.entries(json as Record<string, Json>).flatMap(([name, value]) =>
    textsWithin(value, [...path, name], depth - 1),
  )
}
