import { isProductId } from './firmware.ts'

/** The URL scheme that the system opens with Headroom. */
export const linkScheme = 'headroom'

/**
 * Target of a link: `headroom://room/ID`, `…/device/ID`, `…/product/VENDOR/PRODUCT`,
 * `…/view/PAGE?where=FILTER`. It only opens a page. `organization`: the name of the organization from which
 * the link was copied (`?in=NAME`), because ids belong to one organization; null: any.
 */
export type PageLink = { readonly organization: string | null } & (
  | { readonly kind: 'room' | 'device'; readonly id: string }
  | { readonly kind: 'product'; readonly vendorId: number; readonly productId: number }
  | { readonly kind: 'view'; readonly page: string; readonly where: string }
)

/** Length that systems and mail programs keep complete (Windows ends at 2,083 characters). */
const lettersAtMost = 2_000

/** Invisible characters are not allowed in a link, nor are parts that change its meaning. */
const isPlain = (text: string): boolean => text !== '' && text.isWellFormed() && !/\p{C}/u.test(text)
const isPart = (text: string): boolean => isPlain(text) && !/^\.+$|[/\\]/.test(text)

/** null: it cannot be written as a link: an id that is not plain text, or a filter that is too long. */
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

/**
 * Parses a link from an untrusted source: a link that Headroom would not write in exactly this form is
 * rejected.
 */
export function parseLink(text: string): PageLink | null {
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
    // A character that is not encoded as required.
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
