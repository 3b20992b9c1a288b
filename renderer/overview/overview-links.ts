import type { ChangeKind } from '../../electron/contract/api/changes.ts'
import type { FirmwareWord } from '../../electron/contract/api/devices.ts'

/** The target of a number: the list filtered to exactly what was counted (core/overview defines the filters). */
export interface PlaceWithFilter {
  readonly name: 'devices' | 'rooms' | 'changes'
  readonly query: { readonly where: string }
}
export const devices = (where: string): PlaceWithFilter => ({ name: 'devices', query: { where } })
export const rooms = (where: string): PlaceWithFilter => ({ name: 'rooms', query: { where } })
export const changesOf = (kind: ChangeKind | null): PlaceWithFilter => ({
  name: 'changes',
  query: { where: kind === null ? '' : `kind:${kind}` },
})
export const devicesOf = (word: FirmwareWord): PlaceWithFilter => devices(`fw:${word}`)
export const productDevices = (productId: number, word: FirmwareWord | null): PlaceWithFilter =>
  devices([`pid:${productId}`, ...(word === null ? [] : [`fw:${word}`])].join(' '))
