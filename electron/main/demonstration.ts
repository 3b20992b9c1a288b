import { utilityProcess, type UtilityProcess } from 'electron'
import { withoutKey } from '../adapters/environment-key.ts'
import { Failed } from '../contract/failure.ts'
import type { Demonstration } from '../core/platform.ts'
import { builtParts } from './window.ts'

/** The demonstration service in a separate process that ends with this one. */
export interface DemonstrationProcess {
  /** Starts it unless it runs. Rejects with Failed `service-unavailable`. */
  readonly start: () => Promise<Demonstration>
  /** Its address, as `URL.origin`; null: it does not run. */
  readonly origin: () => string | null
}

export function demonstrationProcess(options: readonly string[]): DemonstrationProcess {
  let running: Promise<Demonstration> | null = null
  let origin: string | null = null
  return {
    start: () =>
      (running ??= (async () => {
        const child = fork(['--json', ...options])
        // One that failed to start, or has ended, is started again by the next call.
        child.once('exit', () => (origin = running = null))
        const started = await address(child)
        origin = new URL(started.managementUrl).origin
        return started
      })()),
    origin: () => origin,
  }
}

const fork = (words: readonly string[]): UtilityProcess =>
  utilityProcess.fork(builtParts.demo, [...words], {
    serviceName: 'Headroom demonstration',
    stdio: 'ignore',
    env: withoutKey(process.env),
  })

function address(child: UtilityProcess): Promise<Demonstration> {
  return new Promise((resolve, reject) => {
    child.once('message', (message: Demonstration) => resolve(message))
    child.once('exit', (code: number) =>
      reject(
        new Failed({
          kind: 'service-unavailable',
          call: { operation: 'demonstration', host: '127.0.0.1' },
          status: null,
          message: `The demonstration service ended with code ${code}.`,
        }),
      ),
    )
  })
}
