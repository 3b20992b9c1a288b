/** Zones by the region at the start of their name, as the system knows them; `UTC` alone at the end. */
export function zonesByRegion(): readonly { readonly region: string; readonly zones: readonly string[] }[] {
  const regions = new Map<string, string[]>()
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const region = zone.includes('/') ? zone.slice(0, zone.indexOf('/')) : ''
    if (region !== '') regions.set(region, [...(regions.get(region) ?? []), zone])
  }
  return [...[...regions].map(([region, zones]) => ({ region, zones })), { region: 'UTC', zones: ['UTC'] }]
}
/** `America/Argentina/Buenos_Aires` as readable text: `Argentina, Buenos Aires`. */
export const placeOf = (zone: string): string =>
  zone
    .replace(/^[^/]+\//, '')
    .replaceAll('/', ', ')
    .replaceAll('_', ' ')
