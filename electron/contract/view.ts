/** The lists that have a filter, a layout and saved views. */
export const listNames = ['devices', 'rooms', 'changes', 'jobs', 'journal'] as const
export type ListName = (typeof listNames)[number]

/** The lists whose columns are stored as the technician arranged them. */
export const gridNames = [
  ...listNames,
  'job-items',
  'plan',
  'drift',
  'products',
  'releases',
  'properties',
  'device-model',
  'feature-model',
  'definition-items',
  'compare',
  'downloads',
] as const
export type GridName = (typeof gridNames)[number]
