import { Braces, CircleArrowUp, Columns2, Link, Monitor, Printer, RotateCcw, ShieldCheck } from '@lucide/vue'
import type { Component } from 'vue'
import type { Router } from 'vue-router'
import type { DeviceRow, DeviceSelection, ListGroup } from '../../electron/contract/api/devices.ts'
import type { Product, ProductId, ProductStatus } from '../../electron/contract/api/firmware.ts'
import type { JobWork } from '../../electron/contract/api/jobs.ts'
import type { RoomRow } from '../../electron/contract/api/rooms.ts'
import { deviceVocabulary, roomVocabulary } from '../../electron/contract/filter/vocabularies.ts'
import { deviceDetail, deviceTitle } from '../../electron/contract/device-name.ts'
import { parseFilter, quoted } from '../../electron/contract/filter/filter-reader.ts'
import { formatCount, formatHex } from '../components/format.ts'
import { productOf } from '../devices/device-store.ts'
import { rebootOf, updateOf } from '../jobs/job-plan-store.ts'
import { onlineOf } from '../lists/room-cell.ts'
import { countedText, text } from '../locales/i18n.ts'
import type { Release } from './use-link-copy.ts'
import type { PaletteEntry } from './palette-entry.ts'
import {
  beginningOf,
  distanceOf,
  isFilter,
  isPage,
  nearestFirst,
  plain,
  verbs,
  wordsIn,
  type Verb,
  type Wish,
} from './palette-words.ts'

/** What the words of a wish found, and what its verb may open. */
export interface VerbContext {
  readonly wish: Wish
  readonly wheres: { readonly devices: string; readonly rooms: string }
  readonly devices: { readonly rows: readonly DeviceRow[]; readonly total: number }
  readonly rooms: { readonly rows: readonly RoomRow[]; readonly total: number }
  readonly products: readonly Product[]
  readonly sites: readonly ListGroup[]
  readonly fleet: readonly ProductStatus[]
  readonly vendorId: number
  readonly canUpdate: boolean
  readonly router: Router
  readonly plan: (work: JobWork) => unknown
  readonly copyLink: (file: Release) => unknown
}

const icons: Readonly<Record<Verb, Component>> = {
  reboot: RotateCcw,
  update: CircleArrowUp,
  compare: Columns2,
  link: Link,
  print: Printer,
  approve: ShieldCheck,
  definitions: Braces,
}
/** Few enough to read at a glance. */
const VERBS_AT_MOST = 6

const matching = (where: string): DeviceSelection => ({ kind: 'matching', where, except: [] })
const names = (words: string): string => (words === '' ? '' : text('palette.verbs.that', { words }))

/** One device of several in a room is named by its product, because the room alone would not tell which. */
export function namesOf(device: DeviceRow): readonly [title: string, detail: string | null] {
  const own = device.room === null ? device : { ...device, room: null, userName: null, name: null }
  const place = device.room?.name ?? null
  return [deviceTitle(own), [place, deviceDetail(own)].filter(Boolean).join(' · ') || null]
}

const entry = (
  verb: Verb,
  of: string,
  more: Pick<PaletteEntry, 'title' | 'detail' | 'run'> & Partial<PaletteEntry>,
): PaletteEntry => ({
  id: `${verb} ${of}`,
  group: 'do',
  icon: icons[verb],
  leaves: false,
  ofWords: true,
  ...more,
})

export interface NamedSite extends ListGroup {
  readonly label: string
  readonly where: string
}
/** Sites whose name contains a word that begins with each typed one. */
export const sitesNamed = (sites: readonly ListGroup[], words: string): readonly NamedSite[] =>
  sites.filter(
    (site): site is NamedSite =>
      site.label !== null &&
      site.where !== null &&
      words !== '' &&
      distanceOf({ title: site.label }, wordsIn(words)) === 0,
  )

const makers: Readonly<Record<Verb, (context: VerbContext) => readonly PaletteEntry[]>> = {
  reboot: ({ wish: { words }, wheres, rooms, sites, plan }) => {
    const reboot = (selection: DeviceSelection) => () =>
      plan({ kind: 'reboot-rooms', of: 'rooms', selection })
    const many = (n: number, key: string, named: Record<string, unknown>): string =>
      countedText(`palette.verbs.reboot.${key}`, n, { n: formatCount(n), ...named })
    const named = sitesNamed(sites, words)
    return [
      ...rooms.rows.map((room) =>
        entry('reboot', `room ${room.id}`, {
          title: text('palette.verbs.reboot.room', { room: room.name ?? text('rooms.unnamed') }),
          detail: room.location,
          aside: text('palette.verbs.online', { online: onlineOf(room) ?? '?' }),
          enter: 'plan',
          run: () => plan(rebootOf(room.id)),
        }),
      ),
      ...named.map((site) =>
        entry('reboot', `site ${site.key}`, {
          title: many(site.count, 'site', { site: site.label }),
          detail: null,
          enter: 'plan',
          run: reboot(matching(site.where)),
        }),
      ),
      ...(rooms.total > 1 && named.length === 0
        ? [
            entry('reboot', 'all', {
              title: many(rooms.total, 'rooms', {}),
              detail: names(words) || text('palette.verbs.reboot.inNeed'),
              enter: 'plan',
              run: reboot(matching(wheres.rooms)),
            }),
          ]
        : []),
    ]
  },
  update: ({ wish: { words }, wheres, devices, rooms, products, sites, canUpdate, plan }) => {
    if (!canUpdate) return []
    const update = (
      of: string,
      title: string,
      detail: string | null,
      aside: string | null,
      those: DeviceSelection,
      ofRooms = false,
    ) =>
      entry('update', of, {
        title,
        detail,
        aside,
        enter: 'plan',
        run: () => plan(updateOf(those, 'advised', ofRooms ? { of: 'rooms' } : {})),
      })
    const named = (name: string): string => text('palette.verbs.update.one', { name })
    return [
      // A room before its devices.
      ...rooms.rows.flatMap(({ id, name, location, behindCount }) =>
        !behindCount
          ? []
          : update(
              `room ${id}`,
              named(name ?? text('rooms.unnamed')),
              location,
              text('palette.verbs.update.behind', { n: formatCount(behindCount) }),
              { kind: 'picked', ids: [id] },
              true,
            ),
      ),
      ...sitesNamed(sites, words).map((site) =>
        update(
          `site ${site.key}`,
          countedText('palette.verbs.update.site', site.count, {
            n: formatCount(site.count),
            site: site.label,
          }),
          null,
          null,
          matching(site.where),
          true,
        ),
      ),
      ...devices.rows
        .filter(({ firmware: { word } }) => word === 'behind' || word === 'revoked')
        .map((device) => {
          const [name, detail] = namesOf(device)
          const those = { kind: 'picked', ids: [device.id] } as const
          return update(`device ${device.id}`, named(name), detail, fromTo(device), those)
        }),
      // Two products may share a name, by which their devices are filtered.
      ...[...Map.groupBy(products, ({ name }) => name)].flatMap(([name, same]) => {
        const count = same.reduce((sum, { deviceCount }) => sum + deviceCount, 0)
        return count === 0
          ? []
          : update(
              `product ${name}`,
              named(name),
              null,
              countedText('palette.devices', count, { n: formatCount(count) }),
              matching(`product:=${quoted(name)}`),
            )
      }),
      ...(devices.total > 1
        ? [
            update(
              'all',
              countedText('palette.verbs.update.devices', devices.total, { n: formatCount(devices.total) }),
              names(words) || text('palette.verbs.update.inNeed'),
              null,
              matching(wheres.devices),
            ),
          ]
        : []),
    ]
  },
  compare: ({ rooms, devices, router }) => {
    const compare = (of: 'rooms' | 'devices', id: string, name: string, detail: string | null) =>
      entry('compare', `${of} ${id}`, {
        title: text('palette.verbs.compare.one', { name }),
        detail,
        leaves: true,
        run: () => router.push({ name: `compare-${of}`, params: { a: id } }),
      })
    return [
      ...rooms.rows.map(({ id, name, location }) =>
        compare('rooms', id, name ?? text('rooms.unnamed'), location),
      ),
      ...devices.rows.map((device) => compare('devices', device.id, ...namesOf(device))),
    ]
  },
  link: ({ devices, products, vendorId, copyLink }) => {
    const copy = (of: string, name: string, detail: string | null, file: Release, version: string | null) =>
      entry('link', of, {
        title: text('palette.verbs.link.one', { name }),
        detail,
        aside: version,
        enter: 'copy',
        run: () => copyLink(file),
      })
    return [
      ...devices.rows.flatMap((device) => {
        const product = productOf(device, vendorId)
        const version = device.firmware.comparedWith ?? device.firmware.latest
        return product === null || version === null
          ? []
          : copy(`device ${device.id}`, ...namesOf(device), { ...product, version }, version)
      }),
      ...products.flatMap(({ vendorId: vendor, productId, name, latestVersion }) =>
        latestVersion === null
          ? []
          : copy(
              `product ${productId}`,
              name,
              null,
              { vendorId: vendor, productId, version: latestVersion },
              latestVersion,
            ),
      ),
    ]
  },
  print: ({ rooms, router }) =>
    rooms.rows.map((room) =>
      entry('print', `room ${room.id}`, {
        title: text('palette.verbs.print.room', { room: room.name ?? text('rooms.unnamed') }),
        detail: room.location,
        enter: 'print',
        leaves: true,
        run: () => router.push({ name: 'room', params: { id: room.id }, query: { do: 'print' } }),
      }),
    ),
  approve: ({ wish: { words }, fleet, router }) =>
    fleet.flatMap((product) => {
      const { newest, name } = product
      const texts = plain([name, newest, product.approved].filter(Boolean).join(' '))
      if (newest === null || !wordsIn(words).every((word) => texts.includes(plain(word)))) return []
      return entry('approve', `${product.vendorId} ${product.productId}`, {
        title: text('palette.verbs.approve.one', { version: newest, name }),
        detail:
          product.approved === null ? null : text('palette.verbs.approve.now', { version: product.approved }),
        aside: countedText('palette.devices', product.devices, { n: formatCount(product.devices) }),
        leaves: true,
        run: () => openRelease(router, product, newest),
      })
    }),
  // Yours before others.
  definitions: ({ products, router }) =>
    products
      .toSorted((a, b) => b.deviceCount - a.deviceCount)
      .map(({ vendorId, productId, name }) =>
        entry('definitions', `${vendorId} ${productId}`, {
          title: text('palette.verbs.definitions.one', { name }),
          detail: formatHex(productId),
          leaves: true,
          run: () => router.push({ name: 'definitions', params: { vendorId, productId } }),
        }),
      ),
}
const fromTo = ({ firmwareVersion, firmware }: DeviceRow): string | null => {
  const to = firmware.comparedWith ?? firmware.latest
  return firmwareVersion === null || to === null
    ? null
    : text('changes.fromTo', { before: firmwareVersion, after: to })
}
/** The product's page with this release chosen. */
export const openRelease = (router: Router, { vendorId, productId }: ProductId, version: string): unknown =>
  router.push({ name: 'firmware', params: { vendorId, productId }, query: { version } })

/** The one over all of them, which is last. */
const isWhole = ({ id }: PaletteEntry): boolean => id.endsWith(' all')

/** What the verb of the wish can do with what was found, best first; it opens the plan or the question of a button. */
export function verbEntries(context: VerbContext): readonly PaletteEntry[] {
  const { verb, words } = context.wish
  if (verb === null) return []
  const made = makers[verb](context)
  const single = made.filter((one) => !isWhole(one))
  return [
    ...nearestFirst(single, wordsIn(words))
      .slice(0, VERBS_AT_MOST)
      .map(({ one }) => one),
    // Always there.
    ...made.filter(isWhole),
  ]
}

/**
 * What else can be done with the best hit, which the words name, or with the only room that they find, or with all that
 * a filter finds.
 */
export function otherEntries(context: VerbContext): readonly PaletteEntry[] {
  const { verb: chosen, words } = context.wish
  if (words === '') return []
  const [room] = chosen !== null && context.rooms.total === 1 ? context.rooms.rows : []
  const isOfAll = isFilter(words, deviceVocabulary) || isFilter(words, roomVocabulary)
  const isOfFirmware = parseFilter(words, deviceVocabulary).terms.some(({ key }) => key === 'fw')
  const others = verbs
    .filter((verb) => verb !== chosen && !(isOfFirmware && verb === 'reboot'))
    .toSorted((a, b) => (isOfFirmware ? Number(b === 'update') - Number(a === 'update') : 0))
    .flatMap((verb) => {
      const made = verbEntries({ ...context, wish: { verb, words } })
      return isOfAll
        ? made.filter((one) => isWhole(one))
        : made
            .slice(0, 1)
            .filter(
              (one) =>
                distanceOf(one, wordsIn(words)) === 0 || (room !== undefined && one.id.endsWith(room.id)),
            )
    })
  return [...(room === undefined ? [] : [openRoom(room, context.router)]), ...others].map((one) => ({
    ...one,
    group: 'also',
  }))
}
const openRoom = ({ id, name, location }: RoomRow, router: Router): PaletteEntry => ({
  id: `open room ${id}`,
  group: 'also',
  title: text('palette.openRoom', { room: name ?? text('rooms.unnamed') }),
  detail: location,
  icon: Monitor,
  leaves: true,
  ofWords: true,
  run: () => router.push({ name: 'rooms', params: { id } }),
  page: () => router.push({ name: 'room', params: { id } }),
})

/** Each verb without an object: it only begins the text. */
export const beginnings = (): readonly PaletteEntry[] =>
  verbs
    .filter((verb) => !isPage(verb))
    .map((verb) => ({
      id: `begin ${verb}`,
      group: 'verbs',
      title: text(`palette.verbs.${verb}.begin`),
      detail: null,
      alsoFoundBy: text(`palette.verbs.${verb}.phrases`),
      icon: icons[verb],
      leaves: false,
      ofWords: true,
      begins: beginningOf(verb),
      run: () => undefined,
    }))
