/**
 * Maximum characters of a note on a device or a room, of a site, and of a ticket number. Raise one if real
 * texts are longer.
 */
export const noteAtMost = 2_000
export const siteAtMost = 100
export const ticketAtMost = 60

/**
 * Separators in room names: the part before the separator may be the site (`AAR-2.04`, `Aarhus 3`,
 * `DK/Aarhus`).
 */
export const siteSeparators = [' ', '-', '_', '/', '.', ','] as const
export type SiteSeparator = (typeof siteSeparators)[number]
