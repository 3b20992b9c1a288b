import type { Field } from './field.ts'

/** In the order of exported files. */
// prettier-ignore
export const plannedItemFields = [
  { key: 'name', type: 'text', label: 'Name' },
  { key: 'devices', type: 'texts', label: 'Devices' },
  { key: 'changes', type: 'texts', label: 'Changes' },
  { key: 'settings', type: 'texts', label: 'Settings' },
  { key: 'earliestAt', type: 'time', label: 'Not before' },
  { key: 'skipped', type: 'text', label: 'Left out' },
  { key: 'of', type: 'text', label: 'Of' },
  { key: 'targetId', type: 'text', label: 'Id' },
  { key: 'deviceIds', type: 'texts', label: 'Device ids' },
  { key: 'timeZone', type: 'text', label: 'Time zone' },
] as const satisfies readonly Field[]
