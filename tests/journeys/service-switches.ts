import type { Service } from './program.ts'

const DAY_IN_MS = 86_400_000

/** Time passes at the service, by the demonstration's own switch (electron/demo/README.md): devices come and go, get firmware, are replaced. */
export async function daysPass(service: Service, days: number): Promise<void> {
  const answer = await fetch(`${service.managementUrl.replace(/\/management$/, '')}/demonstration/time`, {
    method: 'POST',
    headers: { 'Ocp-Apim-Subscription-Key': service.key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ advanceInMs: days * DAY_IN_MS }),
  })
  if (!answer.ok) throw new Error(`/demonstration/time: ${answer.status} ${await answer.text()}`)
}

const switchAddress = (service: Service, name: string): string => `${service.managementUrl.replace(/\/management$/, '')}/demonstration/${name}`

/** Somebody regenerates a key in the portal: the old one is refused from now on. `goodKey`: one that the service accepts now. Answers the new key. */
export async function regenerateKey(service: Service, slot: 'primary' | 'secondary', goodKey: string): Promise<string> {
  const answer = await fetch(switchAddress(service, 'keys'), {
    method: 'POST',
    headers: { 'Ocp-Apim-Subscription-Key': goodKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ regenerate: slot }),
  })
  if (!answer.ok) throw new Error(`/demonstration/keys: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { key: string }).key
}

/** How many calls the service refused for their key. */
export async function refusedCalls(service: Service, goodKey: string): Promise<number> {
  const answer = await fetch(switchAddress(service, 'counts'), { headers: { 'Ocp-Apim-Subscription-Key': goodKey } })
  const { arrivals } = (await answer.json()) as { arrivals: Record<string, Record<string, number>> }
  return Object.values(arrivals).reduce((sum, byStatus) => sum + (byStatus['401'] ?? 0), 0)
}

/** The service misbehaves from now on, so often (electron/demo/README.md). */
export async function putFault(service: Service, fault: { readonly name: string; readonly times: number }, goodKey: string): Promise<void> {
  const answer = await fetch(switchAddress(service, 'faults'), {
    method: 'POST',
    headers: { 'Ocp-Apim-Subscription-Key': goodKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(fault),
  })
  if (!answer.ok) throw new Error(`/demonstration/faults: ${answer.status} ${await answer.text()}`)
}
