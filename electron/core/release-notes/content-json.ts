import type { ContentLink } from '../../contract/firmware.ts'
import type { Json, JsonObject } from '../../contract/json.ts'

/**
 * The shape of product content is not published (specification, part 4 note 4), so this reader looks for names, product ids and
 * https links wherever they are. It never throws, and reads nothing deeper than sixteen levels.
 */
export interface WantedProduct {
  readonly vendorId: number
  readonly productId: number
  /** Names of the product and its variants, as `plainName` makes them. */
  readonly names: ReadonlySet<string>
  /** Names of its product group: weaker evidence. */
  readonly groupNames: ReadonlySet<string>
}

export interface ContentRecord {
  readonly title: string | null
  readonly links: readonly ContentLink[]
  readonly images: readonly string[]
  readonly raw: JsonObject
}

const deepest = 16
const idNames = /^(usb)?_?(product)?_?(pid|id|ids|pids|productids?)$/i
const nameNames = ['name', 'productName', 'title', 'displayName', 'heading', 'label', 'model', 'productGroupName', 'groupName']

export const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[™®©]/g, '')
    .replace(/[\s_-]+/g, ' ')
    .trim()
    .replace(/^jabra /, '')

/** Evidence that a record is about the product, best first: its id, its name, its group's name; and how far below the record it stands. */
interface Evidence {
  readonly strength: 3 | 2 | 1
  readonly depth: number
}

/** The record of the document that names the product and has links; null: there is none. */
export function recordOf(json: Json, wanted: WantedProduct): ContentRecord | null {
  let best: { readonly score: number; readonly record: JsonObject; readonly found: Found; readonly title: string | null } | null = null
  const consider = (node: Json, key: string | null, depth: number): Evidence | null => {
    if (typeof node !== 'object' || node === null || depth > deepest) return null
    const children = Object.entries(node as Record<string, Json>).map(([name, child]) => consider(child, name, depth + 1))
    const below = children.flatMap((evidence) => (evidence === null ? [] : [{ ...evidence, depth: evidence.depth + 1 }]))
    if (Array.isArray(node)) return strongest(below)
    const record = node as JsonObject
    const evidence = strongest([...ownEvidence(record, key, wanted), ...below])
    if (evidence === null) return null
    const found = linksWithin(record)
    if (found.links.length + found.images.length === 0) return evidence
    // Of equals the outer one, which holds the others. A record with a page behind it beats one with pictures only; then the evidence; then the closest record, not the list around it.
    const score = (found.links.length > 0 ? 1000 : 0) + evidence.strength * 100 - evidence.depth
    if (best === null || score >= best.score) best = { score, record, found, title: ownName(record) ?? titleKey(key) }
    return evidence
  }
  consider(json, null, 0)
  const chosen = best as { readonly record: JsonObject; readonly found: Found; readonly title: string | null } | null
  return chosen === null ? null : { title: chosen.title, ...chosen.found, raw: chosen.record }
}

const strongest = (all: readonly Evidence[]): Evidence | null =>
  all.reduce<Evidence | null>(
    (best, one) => (best === null || one.strength > best.strength || (one.strength === best.strength && one.depth < best.depth) ? one : best),
    null,
  )

function ownEvidence(record: JsonObject, key: string | null, wanted: WantedProduct): readonly Evidence[] {
  const vendor = Object.entries(record).find(([name]) => /^(usb)?_?(vendor_?id|vid)$/i.test(name))?.[1]
  const ids = Object.entries(record).flatMap(([name, value]) => (idNames.test(name) ? (Array.isArray(value) ? (value as readonly Json[]) : [value]) : []))
  // A bare `id` may count anything: it must name vendor and product.
  const byId = ids.some((id) => isPair(id, wanted)) || (sameVendor(vendor, wanted) && productIdsIn(record).some((id) => idMatches(id, wanted.productId)))
  const names = [key, ...nameNames.map((name) => record[name])].flatMap((name) => (typeof name === 'string' && name !== '' ? [plainName(name)] : []))
  return [
    ...(byId || isPair(key, wanted) ? [{ strength: 3, depth: 0 } as const] : []),
    ...(names.some((name) => wanted.names.has(name)) ? [{ strength: 2, depth: 0 } as const] : []),
    ...(names.some((name) => wanted.groupNames.has(name)) ? [{ strength: 1, depth: 0 } as const] : []),
  ]
}

function productIdsIn(record: JsonObject): readonly Json[] {
  return Object.entries(record).flatMap(([name, value]) =>
    /^(usb)?_?(product_?ids?|pids?)$/i.test(name) ? (Array.isArray(value) ? (value as readonly Json[]) : [value]) : [],
  )
}

const sameVendor = (vendor: Json | undefined, wanted: WantedProduct): boolean => vendor === undefined || vendor === null || idMatches(vendor, wanted.vendorId)

/** Ids as numbers, decimal text or hexadecimal text (`0x24B3`, `24B3`). */
function idMatches(json: Json, id: number): boolean {
  if (typeof json === 'number') return json === id
  if (typeof json !== 'string') return false
  const text = json.trim().toLowerCase()
  const hex = id.toString(16)
  return text === String(id) || text === `0x${hex}` || text === `0x${hex.padStart(4, '0')}` || (text === hex.padStart(4, '0') && /[a-f]/.test(text))
}

/** `2830/9395`, `2830-9395`, `0b0e:24b3`. */
function isPair(json: Json, wanted: WantedProduct): boolean {
  if (typeof json !== 'string') return false
  const [vendor, product, more] = json.split(/[/:_-]/)
  if (vendor === undefined || product === undefined || more !== undefined) return false
  return idMatches(vendor, wanted.vendorId) && idMatches(product, wanted.productId)
}

const ownName = (record: JsonObject): string | null =>
  nameNames.flatMap((name) => (typeof record[name] === 'string' && record[name] !== '' ? [record[name]] : []))[0] ?? null
const titleKey = (key: string | null): string | null => (key !== null && /[a-z]/i.test(key) && /\s/.test(key) ? key : null)

interface Found {
  readonly links: readonly ContentLink[]
  readonly images: readonly string[]
}

const imageName = /image|img|picture|photo|thumbnail|icon|logo|render/i
const imageFile = /\.(png|jpe?g|webp|gif|svg|avif)$/i
const within = /https:\/\/[^\s"'<>()[\]{}\\]+/gi

function linksWithin(record: JsonObject): Found {
  const links = new Map<string, ContentLink>()
  const images = new Set<string>()
  const walk = (json: Json, path: readonly string[], holder: JsonObject): void => {
    if (path.length > deepest) return
    if (typeof json === 'string') {
      for (const url of addressesIn(json)) {
        if (isImage(url, path)) images.add(url.href)
        else if (!links.has(url.href)) links.set(url.href, linkOf(url, path, holder === record ? null : ownLabel(holder)))
      }
    } else if (Array.isArray(json)) (json as readonly Json[]).forEach((item) => walk(item, path, holder))
    else if (typeof json === 'object' && json !== null) {
      for (const [name, value] of Object.entries(json as JsonObject)) walk(value, [...path, name], json as JsonObject)
    }
  }
  walk(record, [], record)
  return { links: [...links.values()], images: [...images] }
}

function addressesIn(text: string): readonly URL[] {
  const whole = text.trim()
  const found = /^https:\/\/\S+$/i.test(whole) ? [whole] : (text.match(within) ?? []).map((url) => url.replace(/[.,;:!?]+$/, ''))
  return found.flatMap((url) => (URL.canParse(url) && new URL(url).hostname !== '' ? [new URL(url)] : []))
}

function isImage(url: URL, path: readonly string[]): boolean {
  // Observed: pictures of the service come from Contentful.
  return (
    imageFile.test(url.pathname) ||
    /^images[.-]ctfassets\.net$/i.test(url.hostname) ||
    (imageName.test(path.at(-1) ?? '') && !/link|page/i.test(path.at(-1) ?? ''))
  )
}

function linkOf(url: URL, path: readonly string[], label: string | null): ContentLink {
  const name = path.at(-1) ?? ''
  const said = `${path.join(' ')} ${label ?? ''} ${url.pathname}`
  const kind = /release[\s_-]*note|change[\s_-]*log|what'?s[\s_-]*new/i.test(said)
    ? 'release-notes'
    : /support|manual|faq|help/i.test(said)
      ? 'support'
      : 'other'
  return { kind, label: label ?? wordsOf(name) ?? url.host, url: url.href, host: url.host }
}

const ownLabel = (holder: JsonObject): string | null =>
  ['label', 'title', 'text', 'name', 'displayName', 'key'].flatMap((name) => {
    const value = holder[name]
    return typeof value === 'string' && value.trim() !== '' && !/^https?:/i.test(value) ? [value.trim()] : []
  })[0] ?? null

/** `supportPageUrl` → `Support page`; names that say nothing (`url`, `href`) say nothing here either. */
function wordsOf(name: string): string | null {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
    .replace(/\b(url|uri|href|link|links)\b/g, '')
    .trim()
  return words === '' || /^\d+$/.test(words) ? null : words.charAt(0).toUpperCase() + words.slice(1)
}
