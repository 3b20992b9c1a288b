import { isProductId } from './firmware.ts'

/** The scheme that the system hands to Headroom. */
export const linkScheme = 'headroom'

/**
 * Where a link leads: `headroom://room/ID`, `…/device/ID`, `…/product/VENDOR/PRODUCT`, `…/view/PAGE?where=FILTER`. It opens a page and
 * nothing else. `organization`: the name of the one it was copied from, for ids are its own (`?in=NAME`); null: any.
 */
export type PageLink = { readonly organization: string | null } & (
  | { readonly kind: 'room' | 'device'; readonly id: string }
  | { readonly kind: 'product'; readonly vendorId: number; readonly productId: number }
  | { readonly kind: 'view'; readonly page: string; readonly where: string }
)

/** Chosen: what systems and mail programs carry whole (Windows ends at 2,083 characters). */
const lettersAtMost = 2_000

/** What nobody sees has no place in a link, nor have parts that mean another one. */
const isPlain = (text: string): boolean => text !== '' && text.isWellFormed() && !/\p{C}/u.test(text)
const isPart = (text: string): boolean => isPlain(text) && !/^\.+$|[/\\]/.test(text)

/** null: it cannot be written as a link: an id that is no plain text, a filter that is too long. */
export function linkTo(link: PageLink): string | null {
  const parts = partsOf(link)
  const query = [
    ...(link.kind === 'view' && link.where !== '' ? [['where', link.where] as const] : []),
    ...(link.organization === null ? [] : [['in', link.organization] as const]),
  ]
  if (!parts.every(isPart) || !query.every(([, value]) => isPlain(value))) return null
  const search = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  const text = `${linkScheme}://${[link.kind, ...parts.map(encodeURIComponent)].join('/')}${search && '?'}${search}`
  return text.length > lettersAtMost ? null : text
}

function partsOf(link: PageLink): readonly string[] {
  switch (link.kind) {
    case 'product':
      return [String(link.vendorId), String(link.productId)]
    case 'view':
      return [link.page]
    default:
      return [link.id]
  }
}

/** Reads a link that anybody may have written: one that Headroom would not write itself, letter for letter, is none. */
export function readLink(text: string): PageLink | null {
  if (text.length > lettersAtMost) return null
  const [address = '', search = ''] = text.split('?', 2)
  try {
    const [kind, ...parts] = address.slice(`${linkScheme}://`.length).split('/').map(decodeURIComponent)
    const query = new Map(
      search.split('&').map((one) => one.split('=', 2).map(decodeURIComponent) as [string, string]),
    )
    const link = linkOf(kind ?? '', parts, query)
    return link !== null && linkTo(link) === text ? link : null
  } catch {
    // A sign that is not encoded as it must be.
    return null
  }
}

function linkOf(
  kind: string,
  [first = '', second = '']: readonly string[],
  query: ReadonlyMap<string, string>,
): PageLink | null {
  const organization = query.get('in') ?? null
  switch (kind) {
    case 'room':
    case 'device':
      return { kind, id: first, organization }
    case 'product': {
      const [vendorId, productId] = [Number(first), Number(second)]
      return isProductId(vendorId) && isProductId(productId)
        ? { kind, vendorId, productId, organization }
        : null
    }
    case 'view':
      return { kind, page: first, where: query.get('where') ?? '', organization }
    default:
      return null
  }
}
