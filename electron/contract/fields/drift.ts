import type { Field } from './field.ts'

/**
 * The fields of a device compared with a golden profile or with its feature model. In the order of exported
 * files.
 */
// prettier-ignore
export const driftFields = [
  { key: 'userOrRoom', type: 'text', label: 'User or room' },
  { key: 'productName', type: 'text', label: 'Product' },
  { key: 'serialNumber', type: 'text', label: 'Serial number' },
  { key: 'state', type: 'text', label: 'State' },
  { key: 'drift', type: 'texts', label: 'What differs' },
  { key: 'settings', type: 'texts', label: 'Settings' },
  { key: 'readAt', type: 'time', label: 'Read' },
  { key: 'name', type: 'text', label: 'Name' },
  { key: 'status', type: 'text', label: 'Status' },
  { key: 'variantType', type: 'text', label: 'Variant' },
  { key: 'firmwareVersion', type: 'version', label: 'Firmware' },
  { key: 'room', type: 'text', label: 'Room' },
  { key: 'userName', type: 'text', label: 'User' },
  { key: 'id', type: 'text', label: 'Id' },
] as const satisfies readonly Field[]
