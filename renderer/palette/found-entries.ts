import { Cpu, Headphones, Monitor } from '@lucide/vue'
import type { Router } from 'vue-router'
import type { DeviceRow } from '../../electron/contract/api/devices.ts'
import type { Product } from '../../electron/contract/api/firmware.ts'
import type { RoomRow } from '../../electron/contract/api/rooms.ts'
import { countedText, text } from '../locales/i18n.ts'
import { formatCount, formatHex } from '../parts/format.ts'
import { wordOfStatus } from '../parts/status-kind.ts'
import type { PaletteEntry } from './palette-entry.ts'
import { idBeside, nameOfDevice } from '../parts/device-name.ts'

const together = (...parts: readonly (string | null | undefined)[]): string | null =>
  parts.filter(Boolean).join(' · ') || null

export const deviceEntry = (device: DeviceRow, router: Router): PaletteEntry => ({
  id: `device ${device.id}`,
  group: 'devices',
  title: nameOfDevice(device),
  detail: together(idBeside(device), device.serialNumber, device.room?.name, wordOfStatus(device.status)),
  icon: Headphones,
  leaves: true,
  run: () => router.push({ name: 'devices', params: { id: device.id } }),
})
export const roomEntry = (room: RoomRow, router: Router): PaletteEntry => ({
  id: `room ${room.id}`,
  group: 'rooms',
  title: room.name ?? text('rooms.unnamed'),
  detail: together(room.location, wordOfStatus(room.status)),
  icon: Monitor,
  leaves: true,
  run: () => router.push({ name: 'rooms', params: { id: room.id } }),
})
export const productEntry = (product: Product, router: Router): PaletteEntry => ({
  id: `product ${product.vendorId} ${product.productId}`,
  group: 'products',
  title: product.name,
  detail: together(
    formatHex(product.productId),
    product.latestVersion,
    product.deviceCount > 0
      ? countedText('palette.devices', product.deviceCount, { n: formatCount(product.deviceCount) })
      : null,
  ),
  icon: Cpu,
  leaves: true,
  run: () =>
    router.push({ name: 'firmware', params: { vendorId: product.vendorId, productId: product.productId } }),
})
