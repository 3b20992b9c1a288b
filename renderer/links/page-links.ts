import type { RouteLocationNormalizedLoaded, RouteLocationRaw } from 'vue-router'
import { linkTo, type PageLink } from '../../electron/contract/page-link.ts'
import { listNames } from '../../electron/contract/view.ts'
import { currentFilter } from '../filter/address-filter.ts'
import { pagesInOrder } from '../layout/page-icons.ts'

const lists: readonly unknown[] = listNames

/** The link to the page on screen, or to the room, device or product that is open in it; null: there is none. */
export function linkOfPage(
  { name, params }: Pick<RouteLocationNormalizedLoaded, 'name' | 'params'>,
  organization: string | null,
): string | null {
  const one = (param: string): string => [params[param] ?? ''].flat()[0] ?? ''
  const [id, vendorId, productId] = [one('id'), one('vendorId'), one('productId')]
  const page = pagesInOrder.find((known) => known === name)
  if (id !== '' && (name === 'room' || name === 'rooms')) return linkTo({ kind: 'room', id, organization })
  if (id !== '' && (name === 'device' || name === 'devices'))
    return linkTo({ kind: 'device', id, organization })
  if (productId !== '')
    return linkTo({
      kind: 'product',
      vendorId: Number(vendorId),
      productId: Number(productId),
      organization: null,
    })
  if (page === undefined) return null
  return linkTo({
    kind: 'view',
    page,
    where: lists.includes(name) ? (currentFilter.value?.() ?? '') : '',
    organization,
  })
}

/** The target of a link; null: it does not exist. */
export function pageOfLink(link: PageLink): RouteLocationRaw | null {
  switch (link.kind) {
    case 'room':
    case 'device':
      return { name: link.kind, params: { id: link.id } }
    case 'product':
      return { name: 'firmware', params: { vendorId: link.vendorId, productId: link.productId } }
    case 'view': {
      const name = pagesInOrder.find((page) => page === link.page)
      if (name === undefined || (link.where !== '' && !lists.includes(name))) return null
      return { name, query: link.where === '' ? {} : { where: link.where } }
    }
  }
}
