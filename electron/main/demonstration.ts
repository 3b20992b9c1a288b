import { utilityProcess } from 'electron'
import { Failed } from '../contract/failure.ts'
import type { Demonstration } from '../core/host.ts'
import { builtParts } from './window.ts'

/** Starts the demonstration service once, in a process of its own that ends with ours. */
export function demonstrationStarter(options: readonly string[]): () => Promise<Demonstration> {
  let running: Promise<Demonstration> | null = null
  return () => (running ??= start(options))
}

function start(options: readonly string[]): Promise<Demonstration> {
  return new Promise((resolve, reject) => {
    const child = utilityProcess.fork(builtParts.demo, ['--json', ...options], { serviceName: 'Headroom demonstration', stdio: 'ignore' })
    child.once('message', (message: Demonstration) => resolve(message))
    child.once('exit', (code) =>
      reject(new Failed({ kind: 'service-unavailable', call: { operation: 'demonstration', host: '127.0.0.1' }, status: null, message: `The demonstration service ended with code ${code}.` })),
    )
  })
}
