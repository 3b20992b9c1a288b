import type { NewerCheck, NewerProblem, NewerVersion } from '../../contract/api/newer-version.ts'
import { Failed, failedWith } from '../../contract/failure.ts'
import { isJsonObject } from '../../contract/json.ts'
import { compareVersions } from '../lists/version-order.ts'
import type { Cancel, Clock, Log, Transport, WireFault, WireResponse } from '../platform.ts'
import type { Workbook } from '../storage/workbook.ts'

/** Tells of a newer version of this program, and never fetches or installs one. */
export interface NewerVersions {
  /** Asks now. */
  check(): Promise<NewerCheck>
  /** What the last check found, if it is newer than this program. */
  known(): NewerVersion | null
  /** From now on asks once a day. */
  start(): Promise<void>
  readonly close: () => void
}

/** Where to ask; `off`: nothing is asked. */
export type NewerVersionSource =
  | { readonly url: string }
  | { readonly off: Extract<NewerProblem, 'not-configured' | 'by-policy' | 'by-installer'> }

export interface NewerVersionDeps {
  readonly clock: Clock
  readonly log: Log
  readonly workbook: Pick<Workbook, 'remembered' | 'remember'>
  /** Counted. */
  readonly transport: Transport
  /** What holds now: a policy may change it. */
  readonly source: () => NewerVersionSource
  /** Of this program. */
  readonly version: string
  /** What `known` returns changed. */
  readonly changed: () => void
}

/** The document has a few lines; more is no such document. Chosen. */
const bytesAtMost = 65_536
const answersWithinMs = 10_000
const redirectsAtMost = 3
const dayInMs = 86_400_000

class Unusable extends Error {
  readonly reason: NewerProblem
  readonly detail: string
  constructor(reason: NewerProblem, detail = '') {
    super(reason)
    this.reason = reason
    this.detail = detail
  }
}

export function openNewerVersions(deps: NewerVersionDeps): NewerVersions {
  const { clock, log, workbook, transport, source, version, changed } = deps
  let known: NewerVersion | null = null
  let cancel: Cancel = () => undefined
  let isClosed = false
  const hostOf = (asked: NewerVersionSource): string => ('url' in asked ? new URL(asked.url).host : '')
  const isNewer = (found: NewerVersion): boolean => compareVersions(found.version, version) > 0
  const keep = (found: NewerVersion | null): void => {
    const before = known?.version
    known = found
    if (before !== found?.version) changed()
  }
  const ended = (newer: NewerVersion | null, problem: NewerCheck['problem']): NewerCheck => {
    log.write('info', newer === null ? 'No newer version' : 'A newer version', {
      reason: problem?.reason ?? newer?.version ?? 'this one is not lower',
    })
    return { version, newer, problem }
  }

  const check = async (): Promise<NewerCheck> => {
    const asked = source()
    const host = hostOf(asked)
    if ('off' in asked) return { version, newer: null, problem: { reason: asked.off, host, detail: '' } }
    try {
      const found = parsed(await bodyOf(transport, asked.url), host)
      const newer = isNewer(found) ? found : null
      keep(newer)
      return ended(newer, null)
    } catch (error) {
      if (failedWith(error, 'policy')) return ended(null, { reason: 'host-not-allowed', host, detail: '' })
      if (!(error instanceof Unusable)) throw error
      return ended(null, { reason: error.reason, host, detail: error.detail })
    } finally {
      await unlessFailed(workbook.remember('newer-version', { askedAt: clock.now(), found: known }))
    }
  }
  const next = (inMs: number): void => {
    if (!isClosed) cancel = clock.after(inMs, () => void check().finally(() => next(dayInMs)))
  }
  return {
    check,
    known: () => ('off' in source() ? null : known),
    async start() {
      const asked = source()
      if ('off' in asked && asked.off === 'not-configured') return
      const kept = await unlessFailed(workbook.remembered('newer-version'))
      const { askedAt, found } = remembered(kept, hostOf(asked))
      if (found !== null && isNewer(found)) keep(found)
      // A clock that was set back must not put the question off.
      next(Math.min(Math.max(askedAt + dayInMs - clock.now(), 0), dayInMs))
    },
    close() {
      isClosed = true
      cancel()
    },
  }
}

/** The workbook reports its own problem. */
const unlessFailed = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (error instanceof Failed) return null
    throw error
  })

function remembered(
  value: unknown,
  host: string,
): { readonly askedAt: number; readonly found: NewerVersion | null } {
  if (!isJsonObject(value)) return { askedAt: 0, found: null }
  const { askedAt, found = null } = value
  try {
    return {
      askedAt: typeof askedAt === 'number' ? askedAt : 0,
      found: found === null ? null : parsed(JSON.stringify(found), host),
    }
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    return { askedAt: 0, found: null }
  }
}

/** Redirects are followed on the same host. Rejects with Unusable. */
async function bodyOf(transport: Transport, address: string): Promise<string> {
  let url = address
  for (let redirects = 0; ; redirects++) {
    const outcome: WireResponse | WireFault = await transport.attempt({
      method: 'GET',
      url,
      headers: { accept: 'application/json', 'user-agent': 'Headroom' },
      body: null,
      timeoutInMs: answersWithinMs,
      maxBytes: bytesAtMost,
      freshConnection: false,
      signal: null,
    })
    if (outcome.kind === 'answer') {
      if (outcome.status !== 200) throw new Unusable('no-answer', `it answered ${outcome.status}`)
      return outcome.body
    }
    if (outcome.reason === 'too-large') throw new Unusable('too-large')
    if (outcome.reason !== 'redirect') throw new Unusable('no-answer', outcome.message)
    if (outcome.location === undefined || !isAt(outcome.location, new URL(address).host))
      throw new Unusable('redirect')
    if (redirects === redirectsAtMost) throw new Unusable('no-answer', 'it redirects again and again')
    url = outcome.location
  }
}

function isAt(written: string, host: string): boolean {
  if (!URL.canParse(written)) return false
  const { protocol, host: at, username, password } = new URL(written)
  return protocol === 'https:' && at === host && username + password === ''
}

/** Throws Unusable. */
function parsed(body: string, host: string): NewerVersion {
  let found: unknown
  try {
    found = JSON.parse(body)
  } catch {
    throw new Unusable('unreadable')
  }
  if (!isJsonObject(found)) throw new Unusable('unreadable')
  const { version, date, notes, page } = found
  if (typeof version !== 'string' || !/^\d{1,6}(?:\.\d{1,6}){2}$/.test(version)) throw new Unusable('version')
  if (typeof date !== 'string' || !isDay(date)) throw new Unusable('date')
  if (typeof notes !== 'string') throw new Unusable('notes')
  if (typeof page !== 'string' || !isAt(page, host)) throw new Unusable('page')
  return { version, date, notes, page }
}

const isDay = (date: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(date) && new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date)
