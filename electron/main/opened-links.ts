import { linkScheme, parseLink } from '../contract/page-link.ts'

/** The link among the program's arguments; null: there is none. */
export const linkIn = (words: readonly string[]): string | null =>
  words.find((word) => word.toLowerCase().startsWith(`${linkScheme}:`)) ?? null

/** The page address that opens a link. An invalid link is not passed on: the page says so. */
export const hashOf = (link: string): string =>
  `#/link${parseLink(link) === null ? '' : `?to=${encodeURIComponent(link)}`}`

/**
 * The script that opens it in our page. A valid link contains only letters, digits and `-_.!~*'()%`, so it
 * cannot end the quotes.
 */
export const scriptOf = (link: string): string => `location.hash = ${JSON.stringify(hashOf(link))}`
