import type { Service } from './program.ts'

const DAY_IN_MS = 86_400_000

/** The address of a demonstration, and a key it accepts. */
type Switched = Pick<Service, 'managementUrl' | 'key'>

/** The service's own counts (electron/demo/README.md): responses by operation and status, writes that took effect by device or room. */
export interface Counts {
  readonly arrivals: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly writes: Readonly<Record<string, number>>
  readonly mostInASecond: number
  readonly mostInAWindow: number
}

/** The demonstration's own switches, such as `POST` `/faults`. */
export async function control(
  service: Switched,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const answer = await fetch(`${service.managementUrl.replace(/\/management$/, '')}/demonstration${path}`, {
    method,
    headers: { 'Ocp-Apim-Subscription-Key': service.key, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} /demonstration${path}: ${answer.status} ${await answer.text()}`)
  return answer.status === 204 ? null : answer.json()
}

export const countsOf = async (service: Switched): Promise<Counts> =>
  (await control(service, 'GET', '/counts')) as Counts

/** How often the service got these requests, with any result. */
export async function arrivalsOf(service: Switched, ...operations: readonly string[]): Promise<number> {
  const { arrivals } = await countsOf(service)
  return operations
    .flatMap((operation) => Object.values(arrivals[operation] ?? {}))
    .reduce((sum, one) => sum + one, 0)
}

/** The number of calls that got this response. */
export const answeredWith = ({ arrivals }: Pick<Counts, 'arrivals'>, status: number): number =>
  Object.values(arrivals).reduce((sum, byStatus) => sum + (byStatus[status] ?? 0), 0)

/** Advances time at the service: devices go online and offline, get firmware, are replaced. */
export async function daysPass(service: Switched, days: number): Promise<void> {
  await control(service, 'POST', '/time', { advanceInMs: days * DAY_IN_MS })
}

/** Regenerates a key in the portal: the old one is refused from now on. `goodKey`: a currently valid one. Returns the new key. */
export async function regenerateKey(
  service: Service,
  slot: 'primary' | 'secondary',
  goodKey: string,
): Promise<string> {
  return (
    (await control({ ...service, key: goodKey }, 'POST', '/keys', { regenerate: slot })) as { key: string }
  ).key
}

/** How many calls the service rejected for their key. */
export const refusedCalls = async (service: Service, goodKey: string): Promise<number> =>
  answeredWith(await countsOf({ ...service, key: goodKey }), 401)

/** Switches on a fault of the service, for this many times. */
export async function putFault(
  service: Service,
  fault: { readonly name: string; readonly times: number },
  goodKey: string,
): Promise<void> {
  await control({ ...service, key: goodKey }, 'POST', '/faults', fault)
}
