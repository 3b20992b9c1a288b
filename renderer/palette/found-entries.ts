import { Cpu, Headphones, ListFilter, MapPin, Monitor } from '@lucide/vue'
import type { Router } from 'vue-router'
import type { DeviceRow } from '../../electron/contract/api/devices.ts'
import type { Product, ProductStatus } from '../../electron/contract/api/firmware.ts'
import type { RoomRow } from '../../electron/contract/api/rooms.ts'
import { matchedBy } from '../filter/matched-by.ts'
import { visibleHealth } from '../lists/room-cell.ts'
import { countedText, text } from '../locales/i18n.ts'
import { formatCount, formatHex } from '../components/format.ts'
import { markOfStatus, wordOfStatus } from '../components/status-kind.ts'
import { pictureClass } from '../pictures/pictures-store.ts'
import type { PaletteEntry } from './palette-entry.ts'
import { begins, plain } from './palette-words.ts'
import { namesOf, openRelease, type NamedSite } from './verb-entries.ts'

const together = (...parts: readonly (string | null | undefined)[]): string | null =>
  parts.filter(Boolean).join(' · ') || null

/** Whether a word begins one of the name of its user. */
const isOfPerson = ({ userName, room }: DeviceRow, words: readonly string[]): boolean =>
  userName !== null && room === null && words.some((word) => begins(plain(userName), plain(word)))

/** `words`: the typed text; if neither line contains it, the match is shown too. */
export function deviceEntry(
  device: DeviceRow,
  words: readonly string[],
  vendorId: number | undefined,
  router: Router,
): PaletteEntry {
  const [title, detail] = namesOf(device)
  return {
    id: `device ${device.id}`,
    group: isOfPerson(device, words) ? 'people' : 'devices',
    title,
    detail: together(detail, matchedBy(device, words, [title, detail])),
    aside: wordOfStatus(device.status),
    mark: markOfStatus(device.status),
    icon: Headphones,
    picture: pictureClass(vendorId, device.productId, device.productName ?? device.name),
    leaves: true,
    run: () => router.push({ name: 'devices', params: { id: device.id } }),
    page: () => router.push({ name: 'device', params: { id: device.id } }),
  }
}
/** The link to all matches, if there are more than listed; otherwise none. */
export const moreEntries = (
  group: 'devices' | 'rooms',
  { more, where }: { readonly more: number; readonly where: string },
  router: Router,
): readonly PaletteEntry[] =>
  more <= 0
    ? []
    : [
        {
          id: `more ${group}`,
          group,
          title: countedText(`palette.more.${group}`, more, { n: formatCount(more) }),
          detail: null,
          icon: ListFilter,
          leaves: true,
          ofWords: true,
          run: () => router.push({ name: group, query: { where } }),
        },
      ]
/** A list with the typed filter. */
export const listEntry = (
  list: 'devices' | 'rooms',
  { where, total }: { readonly where: string; readonly total: number },
  router: Router,
): PaletteEntry => ({
  id: `list ${list}`,
  group: 'lists',
  title: text(`palette.list.${list}`, { where }),
  detail: null,
  aside: formatCount(total),
  icon: ListFilter,
  leaves: true,
  ofWords: true,
  run: () => router.push({ name: list, query: { where } }),
})
export const siteEntry = ({ key, label, count, where }: NamedSite, router: Router): PaletteEntry => ({
  id: `site ${key}`,
  group: 'sites',
  title: label,
  detail: null,
  aside: countedText('palette.rooms', count, { n: formatCount(count) }),
  icon: MapPin,
  leaves: true,
  run: () => router.push({ name: 'rooms', query: { where } }),
})
/** A product with this version: its newest release, or one that devices run; none: it is neither. */
export function versionEntry(
  product: ProductStatus,
  version: string,
  vendorId: number | undefined,
  router: Router,
): readonly PaletteEntry[] {
  const { name, productId, newest, inUse } = product
  const running = inUse.find((one) => one.version === version)?.devices ?? 0
  if (newest !== version && running === 0) return []
  return [
    {
      id: `version ${productId} ${version}`,
      group: 'products',
      title: `${name} ${version}`,
      detail: together(
        running > 0 ? countedText('palette.devices', running, { n: formatCount(running) }) : null,
        newest === version ? text('palette.isNewest') : text('palette.newest', { version: newest ?? '—' }),
      ),
      icon: Cpu,
      picture: pictureClass(vendorId, productId, name),
      leaves: true,
      run: () => openRelease(router, product, version),
    },
  ]
}
export function roomEntry(room: RoomRow, router: Router): PaletteEntry {
  const { kind, label } = visibleHealth(room)
  return {
    id: `room ${room.id}`,
    group: 'rooms',
    title: room.name ?? text('rooms.unnamed'),
    detail: room.location,
    aside: label,
    mark: kind,
    icon: Monitor,
    leaves: true,
    run: () => router.push({ name: 'rooms', params: { id: room.id } }),
    page: () => router.push({ name: 'room', params: { id: room.id } }),
  }
}
export const productEntry = (product: Product, router: Router): PaletteEntry => ({
  id: `product ${product.vendorId} ${product.productId}`,
  group: 'products',
  title: product.name,
  detail: together(
    formatHex(product.productId),
    product.deviceCount > 0
      ? countedText('palette.devices', product.deviceCount, { n: formatCount(product.deviceCount) })
      : null,
  ),
  aside: product.latestVersion && text('palette.newest', { version: product.latestVersion }),
  icon: Cpu,
  picture: pictureClass(product.vendorId, product.productId, product.name, product.deviceType),
  leaves: true,
  run: () =>
    router.push({ name: 'firmware', params: { vendorId: product.vendorId, productId: product.productId } }),
})
