/** Sections of the page, in order; also part of the address and found in the palette. */
export const preferenceSections = [
  'appearance',
  'notifications',
  'times',
  'sync',
  'rooms',
  'exports',
  'downloads',
  'tags',
  'views',
  'data',
  'connections',
  'policy',
  'about',
] as const
export type PreferenceSection = (typeof preferenceSections)[number]
