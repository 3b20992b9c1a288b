import type { Json, JsonObject } from '../../contract/json.ts'
import { flagOf, objectOf, memberText } from './members.ts'

/** A part of a page that was not understood. */
export interface Problem {
  /** The path to it, `paging.nextThing`. */
  readonly where: string
  readonly message: string
}

/** What a page states about the next page. */
export interface NextPage {
  /** null: there is none. */
  readonly token: string | null
  /** A member or header mentions a next page, even if only to say that there is none. */
  readonly spoken: boolean
  /**
   * A possible reference to further records that cannot be followed; null: none. It may occur with a token,
   * which is followed anyway.
   */
  readonly doubt: Problem | null
}

type Meaning =
  /** Its value is the token. */
  | 'token'
  /** Its value is the address of the next page, which contains the token. */
  | 'link'
  /** One or the other. */
  | 'token-or-link'
  /** True: there are more. */
  | 'flag'

/**
 * The known spellings of the continuation token, in any case and without separators (`X-Continuation-Token`,
 * `@odata.nextLink`), for members and response headers. `continuationToken` is published for requests
 * (services.md#B34, version 1: `ContinuationToken`) and observed in responses (services.md#B4). The response
 * is not published, so the others are those of common services; extend the list when another is observed.
 */
const spellings: Readonly<Record<string, Meaning>> = {
  continuationtoken: 'token',
  nextcontinuationtoken: 'token',
  continuation: 'token',
  nexttoken: 'token',
  nextpagetoken: 'token',
  nextcursor: 'token',
  nextmarker: 'token',
  endcursor: 'token',
  skiptoken: 'token',
  nextskiptoken: 'token',
  nextlink: 'link',
  nextpagelink: 'link',
  nexturl: 'link',
  nextpageurl: 'link',
  nexturi: 'link',
  nexthref: 'link',
  next: 'token-or-link',
  nextpage: 'token-or-link',
  hasnext: 'flag',
  hasnextpage: 'flag',
  hasmore: 'flag',
  hasmorepages: 'flag',
  hasmoreitems: 'flag',
  hasmoreresults: 'flag',
  moreavailable: 'flag',
  istruncated: 'flag',
}
/** Any other name that contains one of these may refer to the next page, but its use is not published. */
const mayLeadOn = /token|next|cursor/
/** These refer to earlier pages or the current one. */
const leadsBack = /^(?:prev|self|first|current|start)/
/** Names of the token in the address of a next page, in addition to the spellings above. */
const inAddress = /^(?:token|pagetoken|cursor|after)$/
/**
 * Levels of objects searched inside the envelope. A token was observed at most one level deep; raise it if
 * one is found deeper.
 */
const levelsDeep = 2
/** Members examined in one page. Raise it if real pages have more. */
const membersAtMost = 1_000

interface Found {
  readonly where: string
  readonly token: string
}

/** The last page also has a cursor, that of its last record: a flag shows whether it is the last. */
const isOfLastRecord = ({ where }: Found): boolean => /end_?cursor$/i.test(where)

/**
 * Searches for the next page in an envelope (null: a bare list has none) and in response headers (lower-case
 * names). Never throws.
 */
export function nextPageOf(envelope: JsonObject | null, headers: Readonly<Record<string, string>>): NextPage {
  const search = new Search()
  if (envelope !== null) search.members(envelope, [], 0)
  search.headers(headers)
  return search.result()
}

class Search {
  readonly #found: Found[] = []
  readonly #doubts: Problem[] = []
  #flag: { readonly where: string; readonly more: boolean } | null = null
  #spoken = false
  #left = membersAtMost

  members(object: JsonObject, path: readonly string[], depth: number): void {
    for (const [name, value] of Object.entries(object)) {
      if (this.#left-- <= 0) return
      const here = [...path, name]
      const meaning = meaningOf(name)
      const inner = objectOf(value)
      if (meaning !== null) this.#named(here, meaning, value)
      else if (inner !== null && depth < levelsDeep) this.members(inner, here, depth + 1)
      else if (Array.isArray(value) && /^_?links$/i.test(name))
        this.#relations(here, value as readonly Json[])
    }
  }

  headers(headers: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(headers)) {
      const meaning = meaningOf(name)
      if (meaning !== null) this.#named([`header ${name}`], meaning, value)
      else if (name.toLowerCase() === 'link') {
        for (const [, address = '', parameters = ''] of value.matchAll(/<([^>]*)>([^,<]*)/g))
          if (/;\s*rel\s*=\s*"?[^";]*\bnext\b/i.test(parameters)) this.#address('header link', address)
      }
    }
  }

  result(): NextPage {
    const found = this.#flag?.more === false ? this.#found.filter((one) => !isOfLastRecord(one)) : this.#found
    const [first, ...others] = [...Map.groupBy(found, (one) => comparable(one.token)).values()].flatMap(
      ([one]) => one ?? [],
    )
    if (first !== undefined && others.length > 0) {
      const where = [first, ...others].map((one) => one.where).join(', ')
      return {
        token: null,
        spoken: true,
        doubt: { where, message: 'They name different continuation tokens.' },
      }
    }
    const [doubt = null] = this.#doubts
    const token = first?.token ?? null
    const promised =
      token === null && this.#flag?.more === true
        ? { where: this.#flag.where, message: 'It says that there is more, but names no continuation token.' }
        : null
    return { token, spoken: this.#spoken, doubt: doubt ?? promised }
  }

  #named(path: readonly string[], meaning: Meaning | 'unknown', value: Json): void {
    this.#spoken = true
    const where = pathName(path)
    if (value === null || value === '' || (meaning !== 'token' && isNothing(value))) return
    // A blank text or an empty list is no token: it may be what is left of one.
    if (isNothing(value)) return void this.#doubts.push(anotherType(where))
    // `hasNext` is a flag by any of these names.
    if (meaning === 'flag' || typeof value === 'boolean') {
      const more = flagOf(value)
      if (more === null) this.#doubts.push(notUnderstood(where))
      else this.#flag = { where, more: more || this.#flag?.more === true }
      return
    }
    const inner = objectOf(value)
    if (inner !== null) return this.#inside(path, inner)
    if (meaning === 'unknown') this.#doubts.push(notUnderstood(where))
    else if (meaning === 'token') this.#token(where, value)
    else if (typeof value !== 'string') this.#doubts.push(anotherType(where))
    else if (meaning === 'token-or-link' && tokenIn(value) === null && !/^https?:/i.test(value.trim()))
      this.#token(where, value)
    else this.#address(where, value)
  }

  /** `next: { href }`, `nextPage: { token }`. */
  #inside(path: readonly string[], object: JsonObject): void {
    for (const [name, value] of Object.entries(object)) {
      if (isNothing(value) || typeof value === 'object') continue
      const own = meaningOf(name)
      if (/^(?:href|url|uri|link)$/i.test(name) && typeof value === 'string')
        return this.#address(pathName([...path, name]), value)
      if (own === 'token' || /^(?:token|cursor|value)$/i.test(name))
        return this.#token(pathName([...path, name]), value)
    }
    this.#doubts.push(notUnderstood(pathName(path)))
  }

  #relations(path: readonly string[], links: readonly Json[]): void {
    for (const link of links) {
      const object = objectOf(link)
      if (object === null || memberText(object['rel'])?.toLowerCase() !== 'next') continue
      this.#spoken = true
      this.#address(pathName(path), memberText(object['href']) ?? '')
    }
  }

  #token(where: string, value: Json): void {
    if (typeof value === 'string') this.#add(where, value)
    // As digits: the token is a text in requests (services.md#B34).
    else if (typeof value === 'number' && Number.isSafeInteger(value)) this.#add(where, String(value))
    else this.#doubts.push(anotherType(where))
  }

  /** The address itself is never called: only its token is used. */
  #address(where: string, address: string): void {
    this.#spoken = true
    const token = tokenIn(address)
    if (token === null)
      this.#doubts.push({ where, message: 'The address in it names no continuation token.' })
    else this.#add(where, token)
  }

  #add(where: string, token: string): void {
    if (token.isWellFormed()) this.#found.push({ where, token })
    // No address accepts it (version 1).
    else this.#doubts.push({ where, message: 'The continuation token contains an incomplete character.' })
  }
}

function meaningOf(name: string): Meaning | 'unknown' | null {
  const bare = bareName(name)
  const known = Object.hasOwn(spellings, bare) ? spellings[bare] : undefined
  if (known !== undefined) return known
  return mayLeadOn.test(bare) && !leadsBack.test(bare) ? 'unknown' : null
}

/** A name without case, separators and common prefixes. */
export const bareName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z\d]/g, '')
    .replace(/^(?:xms|x|odata)(?=.)/, '')

const isNothing = (value: Json): boolean =>
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** A plus sign in an address may mean a blank. */
const comparable = (token: string): string => token.replaceAll(' ', '+')

function tokenIn(address: string): string | null {
  const query = /\?([^#]*)/.exec(address)?.[1] ?? ''
  for (const part of query.split('&')) {
    const at = part.indexOf('=')
    const name = bareName(decoded(part.slice(0, Math.max(0, at))))
    if (!inAddress.test(name) && (!Object.hasOwn(spellings, name) || spellings[name] !== 'token')) continue
    const token = decoded(part.slice(at + 1))
    if (token !== '') return token
  }
  return null
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const notUnderstood = (where: string): Problem => ({
  where,
  message: 'It may lead to more pages, but its meaning is not published.',
})
const anotherType = (where: string): Problem => ({
  where,
  message: 'The continuation token is neither text nor a whole number.',
})

/** Names come from a service and are displayed, so they become one line of limited length. */
export function pathName(path: readonly string[]): string {
  const name = path.join('.').replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
  return name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name
}
const longestName = 80
