import type { ContentLink } from '../../contract/api/release-notes.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import { destinationOf } from '../metadata/metadata.ts'
import { isForNotes } from './note-json.ts'

export interface ContentLinks {
  readonly links: readonly ContentLink[]
  /** Addresses of pictures that may be offered. */
  readonly images: readonly string[]
}

const deepest = 16

/** The object around a text, and the declared kind of links inside it. */
interface Holder {
  readonly label: string | null
  readonly type: string | null
}

/** Every link and picture of a record, each once, in document order, without the content of `left`. */
export function linksWithin(record: JsonObject, documentUrl: string, left: ReadonlySet<Json>): ContentLinks {
  const links = new Map<string, ContentLink>()
  const images = new Set<string>()
  const alone = Object.keys(record).length === 1
  const walk = (json: Json, path: readonly string[], holder: Holder): void => {
    if (path.length > deepest || left.has(json)) return
    if (typeof json === 'string') {
      for (const { url, offered } of addressesIn(json, path, holder, documentUrl, alone)) {
        const key = url.href
        if (isImage(url, path, holder)) {
          // A picture of a note does not show the product.
          if (offered && !path.slice(0, -1).some(isForNotes)) images.add(key)
        } else if (!links.has(key)) links.set(key, linkOf(url, offered, path, holder))
      }
    } else if (Array.isArray(json)) (json as readonly Json[]).forEach((item) => walk(item, path, holder))
    else if (typeof json === 'object' && json !== null) {
      const inside =
        json === record
          ? holder
          : { label: ownLabel(json as JsonObject), type: declaredType(json as JsonObject) ?? holder.type }
      for (const [name, value] of Object.entries(json as JsonObject)) walk(value, [...path, name], inside)
    }
  }
  walk(record, [], { label: null, type: null })
  return { links: [...links.values()], images: [...images] }
}

/** Origins of all pictures of a document, for all products. */
export const imageOrigins = (document: Json, documentUrl: string): ReadonlySet<string> =>
  // As one of two members, so that the document itself does not count as a single value, which would be a
  // link.
  new Set(
    linksWithin({ document, beside: null }, documentUrl, new Set()).images.map((url) => new URL(url).origin),
  )

interface Address {
  readonly url: URL
  readonly offered: boolean
}

/** Members whose text counts as a link if it looks like a path. */
const linkNames =
  /url|uri|href|link|src|page|image|img|picture|photo|thumb|icon|logo|notes?$|support|manual|download|changelog|location/i
const bareNames = /url|uri|href|link|src/i
const within = /https?:\/\/[^\s"'<>()[\]{}\\]+/gi

function addressesIn(
  text: string,
  path: readonly string[],
  holder: Holder,
  documentUrl: string,
  alone: boolean,
): readonly Address[] {
  const whole = text.trim()
  const name = path.at(-1) ?? ''
  // A single value under a product's name or id is a link.
  const asPath = alone || linkNames.test(speakingName(path)) || (holder.type ?? holder.label) !== null
  if (!/^https?:\/\/\S+$/i.test(whole) && asPath && !/\s/.test(whole)) {
    const found = destinationOf(whole, documentUrl, bareNames.test(name))
    if (found !== null && /^https?:/i.test(found.url))
      return [{ url: new URL(found.url), offered: found.offered }]
  }
  const isWhole = /^https?:\/\/\S+$/i.test(whole)
  // A link or picture mentioned in a note belongs to that note.
  if (!isWhole && [...path, holder.type ?? ''].some(isForNotes)) return []
  const found = isWhole ? [whole] : (text.match(within) ?? []).map((url) => url.replace(/[.,;:!?]+$/, ''))
  return found.flatMap((url) => {
    const leads = destinationOf(url, documentUrl)
    return leads === null ? [] : [{ url: new URL(leads.url), offered: leads.offered }]
  })
}

const imageName = /image|img|picture|photo|thumb|icon|logo|render/i
const imageFile = /\.(png|jpe?g|webp|gif|svg|avif)$/i

function isImage(url: URL, path: readonly string[], { label, type }: Holder): boolean {
  const names = [path.at(-1) ?? '', type ?? '', label ?? '']
  // Pictures of the service come from Contentful (services.md#A26).
  return (
    imageFile.test(url.pathname) ||
    /^images[.-]ctfassets\.net$/i.test(url.hostname) ||
    names.some((name) => imageName.test(name) && !/link|page/i.test(name))
  )
}

function linkOf(url: URL, offered: boolean, path: readonly string[], { label, type }: Holder): ContentLink {
  // The declared kind of a link, by its type or text, takes precedence over the names on the path to it and
  // its address.
  const kind =
    [type, label, path.join(' '), url.pathname].map(kindIn).find((found) => found !== null) ?? 'other'
  return {
    kind,
    label: label ?? nearestLabel(path) ?? (type === null ? null : labelFrom(type)) ?? url.host,
    url: url.href,
    host: url.host,
    offered,
  }
}

function kindIn(text: string | null): ContentLink['kind'] | null {
  if (text === null) return null
  if (/release[\s_-]*note|change[\s_-]*log|what['’]?s[\s_-]*new/i.test(text)) return 'release-notes'
  return /support|manual|faq|help/i.test(text) ? 'support' : null
}

const declaredType = (holder: JsonObject): string | null =>
  ['type', 'linkType', 'kind', 'rel', 'category', 'documentType', 'contentType'].flatMap((name) => {
    const value = holder[name]
    return typeof value === 'string' && value.trim() !== '' ? [value] : []
  })[0] ?? null

const ownLabel = (holder: JsonObject): string | null =>
  ['label', 'title', 'text', 'name', 'displayName', 'key'].flatMap((name) => {
    const value = holder[name]
    return typeof value === 'string' && value.trim() !== '' && !/^(?:https?:|\/)/i.test(value)
      ? [value.trim()]
      : []
  })[0] ?? null

/** Words of the closest meaningful name: `supportPage.value.en` → `Support page`. */
const nearestLabel = (path: readonly string[]): string | null =>
  path.reduceRight<string | null>((found, name) => found ?? labelFrom(name), null)

/**
 * Names that say nothing themselves: the name around them gives the subject: `{ "supportPage": { "en": {
 * "value": … } } }`.
 */
const holders = /^(?:values?|items?|default|\d+|[a-z]{2}(?:[-_][a-z]{2})?)$/i
const speakingName = (path: readonly string[]): string => path.findLast((name) => !holders.test(name)) ?? ''

/** `supportPageUrl` → `Support page`; names without meaning (`url`, `value`, `en`) give nothing. */
function labelFrom(name: string): string | null {
  if (holders.test(name)) return null
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
    .replace(/\b(url|uri|href|link|links)\b/g, '')
    .trim()
  return words === '' ? null : words.charAt(0).toUpperCase() + words.slice(1)
}
