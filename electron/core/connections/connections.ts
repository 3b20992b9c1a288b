import type { ContactedHost, ContactPurpose, ReachableHost } from '../../contract/api/connections.ts'
import { Failed } from '../../contract/failure.ts'
import { isLoopback } from '../../contract/loopback.ts'
import type { Cancel, Clock, Log, Transport } from '../platform.ts'
import type { Workbook } from '../storage/workbook.ts'
import { addContacts, joined, queryContacts, type Contact } from './contact-rows.ts'

/**
 * The hosts that this program contacted, and why: counted at each attempt, stored in the workbook. Never a
 * path, a query or a key.
 */
export interface Connections {
  /** Most recently contacted first. Rejects with Failed `cache-unusable`. */
  list(): Promise<readonly ContactedHost[]>
  /** `known`: those that may be contacted. Rejects with Failed `cache-unusable`. */
  reachable(known: readonly ReachableHost[]): Promise<readonly ReachableHost[]>
  /** The same transport with counting. `organization`: the id; null: for none. */
  counted(transport: Transport, purpose: ContactPurpose, organization: string | null): Transport
  /** One attempt at an address, counted. */
  attempted<T extends { readonly kind: string }>(
    url: string,
    purpose: ContactPurpose,
    organization: string | null,
    attempt: () => Promise<T>,
  ): Promise<T>
  /** An address was opened in the system's browser. */
  outside(url: string): void
  /**
   * Whether an address of this host was opened before; on this computer with any port. False if the workbook
   * cannot be read.
   */
  wasOutside(url: string): Promise<boolean>
  close(): Promise<void>
}

/** Interval of writing the counts: a sync makes 95 attempts a second. Raise it if the writes cost time. */
const writeEveryInMs = 10_000

export function openConnections(deps: {
  readonly workbook: Workbook
  /** The present name of an organization; null: it was removed. */
  readonly nameOf: (id: string) => string | null
  /** Throws Failed `policy` for a host that is never contacted, so that it does not count. */
  readonly mustAllow: (host: string) => void
  readonly clock: Clock
  readonly log: Log
}): Connections {
  const { workbook, clock, log, nameOf, mustAllow } = deps
  let counted = new Map<string, Contact>()
  /** Counts passed to the workbook and not yet written, and the number of writes that ended. */
  let handedOver: readonly Contact[] = []
  let written = 0
  let cancel: Cancel | null = null
  let writing: Promise<void> = Promise.resolve()
  let closed = false

  const add = (
    place: HostPlace,
    purpose: ContactPurpose,
    organization: string | null,
    more: { attempts: number; failed: number },
  ): void => {
    const key = `${purpose} ${place.host}`
    const now = clock.now()
    const known = counted.get(key)
    const contact = {
      ...place,
      ...more,
      purpose,
      organizations: organization === null ? [] : [organization],
      firstAt: now,
      lastAt: now,
    }
    counted.set(key, joined(known === undefined ? [contact] : [known, contact])[0]!)
    if (!closed) cancel ??= clock.after(writeEveryInMs, () => void write())
  }

  const write = (): Promise<void> => {
    cancel?.()
    cancel = null
    writing = writing.then(async () => {
      const contacts = [...counted.values()]
      if (contacts.length === 0) return
      counted = new Map()
      handedOver = contacts
      try {
        await workbook.write((transaction) => addContacts(transaction, contacts))
      } catch (error) {
        // The workbook reports its own problem; these counts are lost, calls are not.
        if (!(error instanceof Failed)) throw error
        log.write('warn', 'Contacted hosts could not be saved', { reason: error.failure.kind })
      } finally {
        handedOver = []
        written++
      }
    })
    return writing
  }

  const contacts = async (): Promise<readonly Contact[]> => {
    for (;;) {
      const previous = written
      const stored = await queryContacts(workbook)
      // Counts written meanwhile would be counted twice, or not at all.
      if (written === previous) return joined([...stored, ...handedOver, ...counted.values()])
    }
  }
  const list = async (): Promise<readonly ContactedHost[]> =>
    (await contacts()).map(({ organizations, ...one }) => ({
      ...one,
      organizations: [...new Set(organizations.map(nameOf))],
    }))

  const attempted: Connections['attempted'] = async (url, purpose, organization, attempt) => {
    const place = placeIn(url)
    if (place === null) return attempt()
    mustAllow(new URL(url).hostname)
    add(place, purpose, organization, { attempts: 1, failed: 0 })
    let failed = true
    try {
      const outcome = await attempt()
      failed = outcome.kind === 'fault'
      return outcome
    } finally {
      if (failed) add(place, purpose, null, { attempts: 0, failed: 1 })
    }
  }

  return {
    list,

    async reachable(known) {
      const contacted = (await contacts()).flatMap(({ organizations, purpose, host, local }) => {
        const { hostname, port } = new URL(`https://${host}`)
        const ids = organizations.length === 0 ? [null] : organizations
        return ids.map((id) => ({
          host: hostname,
          port: local ? null : Number(port || 443),
          why: purpose,
          organizationId: id === null || nameOf(id) === null ? null : id,
        }))
      })
      const byName = new Map([...known, ...contacted].map((one) => [JSON.stringify(Object.values(one)), one]))
      return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
    },

    counted: (transport, purpose, organization) => ({
      attempt: (request) => attempted(request.url, purpose, organization, () => transport.attempt(request)),
    }),

    attempted,

    outside(url) {
      const place = placeIn(url)
      if (place !== null) add(place, 'outside', null, { attempts: 1, failed: 0 })
    },

    async wasOutside(url) {
      const place = placeIn(url)
      try {
        return (await list()).some(
          ({ purpose, host, local }) =>
            purpose === 'outside' && host === place?.host && local === place.local,
        )
      } catch (error) {
        if (!(error instanceof Failed)) throw error
        return false
      }
    },

    async close() {
      closed = true
      await write()
    },
  }
}

type HostPlace = Pick<ContactedHost, 'host' | 'local'>

/**
 * Host and port of an address; without the port on this computer, because the demonstration uses another one
 * at each start.
 */
function placeIn(url: string): HostPlace | null {
  if (!URL.canParse(url)) return null
  const { host, hostname } = new URL(url)
  if (host === '') return null
  const local = isLoopback(hostname)
  return { host: local ? hostname : host, local }
}
