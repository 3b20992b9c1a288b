import type { ChangeKind } from '../../electron/contract/api/changes.ts'
import type { FirmwareWord } from '../../electron/contract/api/devices.ts'
import { quoted } from '../../electron/contract/filter/filter-reader.ts'
import type { RoomHealth } from '../../electron/contract/api/rooms.ts'

/** Where a number leads: the list filtered to exactly what was counted (core/overview says which filter is which number). */
export interface PlaceWithFilter {
  readonly name: 'devices' | 'rooms' | 'changes'
  readonly query: { readonly where: string; readonly span?: 'all' }
}
const devices = (where: string): PlaceWithFilter => ({ name: 'devices', query: { where } })

/** A page whose list has no filter. */
export interface PlaceAlone {
  readonly name: 'jobs'
}
export const allJobs: PlaceAlone = { name: 'jobs' }
export const changesOf = (kind: ChangeKind | null): PlaceWithFilter => ({
  name: 'changes',
  query: { where: kind === null ? '' : `kind:${kind}` },
})
export const goneLately: PlaceWithFilter = {
  name: 'changes',
  query: { where: 'kind:gone of:device age:<7d', span: 'all' },
}
export const roomsOf = (...health: readonly RoomHealth[]): PlaceWithFilter => ({
  name: 'rooms',
  query: { where: `health:${health.join(',')}` },
})
export const devicesOf = (...words: readonly FirmwareWord[]): PlaceWithFilter =>
  devices(`fw:${words.join(',')}`)
export const ratedByService: PlaceWithFilter = devices('fw:by-service')
export const contradicted: PlaceWithFilter = devices('fw:contradicted')
export const productDevices = (productName: string, ...words: readonly FirmwareWord[]): PlaceWithFilter =>
  devices(`product:=${quoted(productName)} fw:${words.join(',')}`)
export const productIdDevices = (productId: number): PlaceWithFilter => devices(`pid:${productId}`)
export const notSeenFor = (inMs: number): PlaceWithFilter => devices(`age:>${inUnits(inMs)}`)
export const neverSeen = devices('age:""')
/** Read longer ago than the one limit and up to the other. */
export const readBetween = (overInMs: number | null, upToInMs: number | null): PlaceWithFilter =>
  devices(
    [
      overInMs === null ? '' : `read:>${inUnits(overInMs)}`,
      upToInMs === null ? '' : `read:<=${inUnits(upToInMs)}`,
    ]
      .filter((term) => term !== '')
      .join(' '),
  )

/** `7d`, `8h`: the largest unit that says it whole. */
export function inUnits(inMs: number): string {
  const [unit, size] = (
    [
      ['d', 86_400_000],
      ['h', 3_600_000],
      ['min', 60_000],
    ] as const
  ).find(([, length]) => inMs % length === 0) ?? ['s', 1_000]
  return `${Math.round(inMs / size)}${unit}`
}
