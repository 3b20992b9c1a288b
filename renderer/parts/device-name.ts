import { text } from '../locales/i18n.ts'

/**
 * What a device is called. One that the service sends without a name is called by its product (the core's word); one without either has its
 * id there, which is no name: it says so, and `idBeside` tells which one it is.
 */
export const nameOfDevice = (device: {
  readonly id: string
  readonly name: string | null
  readonly productName?: string | null
}): string => {
  const name = device.name ?? device.productName ?? device.id
  return name === device.id ? text('devices.withoutName') : name
}

/** The id where the device has no name to be told by; null: it has one. */
export const idBeside = (device: Parameters<typeof nameOfDevice>[0]): string | null =>
  (device.name ?? device.productName ?? device.id) === device.id ? device.id : null
