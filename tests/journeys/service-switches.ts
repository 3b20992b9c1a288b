import type { Service } from './program.ts'

const DAY_IN_MS = 86_400_000

/** The demonstration's own switches, which no technician sees (electron/demo/README.md). */
async function ask(service: Service, name: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${service.managementUrl.replace(/\/management$/, '')}/demonstration/${name}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Ocp-Apim-Subscription-Key': service.key, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`/demonstration/${name}: ${answer.status} ${await answer.text()}`)
  return answer.json().catch(() => null)
}

/** Time passes at the service: devices come and go, get firmware, are replaced. */
export const daysPass = (service: Service, days: number): Promise<unknown> => ask(service, 'time', { advanceInMs: days * DAY_IN_MS })

/** The service fails so from now on. */
export const misbehave = (service: Service, fault: { readonly name: string; readonly rate?: number; readonly times?: number }): Promise<unknown> =>
  ask(service, 'faults', fault)

/** Arrivals at the service by operation, as it counted them itself. */
export async function arrivals(service: Service): Promise<Readonly<Record<string, number>>> {
  const { arrivals: counted } = (await ask(service, 'counts')) as { arrivals: Record<string, Record<string, number>> }
  return Object.fromEntries(Object.entries(counted).map(([operation, byStatus]) => [operation, Object.values(byStatus).reduce((sum, one) => sum + one, 0)]))
}
