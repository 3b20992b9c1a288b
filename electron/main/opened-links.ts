import { linkScheme, readLink } from '../contract/page-link.ts'

/** The link among the words that the program was started with; null: there is none. */
export const linkIn = (words: readonly string[]): string | null =>
  words.find((word) => word.toLowerCase().startsWith(`${linkScheme}:`)) ?? null

/** Where our page opens a link. One that cannot be read goes no further: the page says so. */
export const hashOf = (link: string): string =>
  `#/link${readLink(link) === null ? '' : `?to=${encodeURIComponent(link)}`}`

/** What leads our page there. Of a link that can be read only letters, digits and `-_.!~*'()%` are left, so it stays within the quotes. */
export const scriptOf = (link: string): string => `location.hash = ${JSON.stringify(hashOf(link))}`
