import { createHash } from 'node:crypto'

/** The content of a token: the list, its filter and sort order, and the start of the next page. */
interface Place {
  readonly list: 'devices' | 'rooms'
  readonly filter: string
  readonly descending: boolean
  readonly offset: number
  /** Makes two tokens for the same position differ. */
  readonly salt: number
}

const seal = (seed: number, payload: string): string =>
  createHash('sha256').update(`${seed}|${payload}`).digest('base64').slice(0, 12)

/**
 * Opaque, and built so that a client that forgets to percent-encode it, or does so twice, fails: it contains
 * `+ / = % & # :` and a space.
 */
export const writeToken = (seed: number, place: Place): string => {
  const payload = Buffer.from(
    JSON.stringify([place.list, place.filter, place.descending ? 1 : 0, place.offset, place.salt]),
  ).toString('base64')
  return `+RID:~${payload}==#RT:1 %2B&SIG:${seal(seed, payload)}/=`
}

/** null: not a token of this service. */
export const parseToken = (seed: number, token: string): Place | null => {
  const match = /^\+RID:~([A-Za-z0-9+/=]+?)==#RT:1 %2B&SIG:([A-Za-z0-9+/]{12})\/=$/.exec(token)
  const [, payload, signature] = match ?? []
  if (payload === undefined || seal(seed, payload) !== signature) return null
  const [list, filter, descending, offset, salt] = JSON.parse(
    Buffer.from(payload, 'base64').toString('utf8'),
  ) as [Place['list'], string, 0 | 1, number, number]
  return { list, filter, descending: descending === 1, offset, salt }
}
