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
