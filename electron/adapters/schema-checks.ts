import { Worker } from 'node:worker_threads'
import type { WebhookCheck } from '../contract/api/webhooks.ts'
import type { SchemaChecks } from '../core/webhooks/webhooks.ts'

/**
 * A list of 1,000,000 characters can have half a million problems, which are passed as arguments (8 bytes
 * each, measured); the heap holds them with their texts. Raise it if the check of an accepted text runs out
 * of memory.
 */
const resourceLimits = { stackSizeMb: 32, maxOldGenerationSizeMb: 512 }

/**
 * One thread for each check, so that it can be ended at any time. `databaseWorkerUrl`: the file of the thread
 * is next to it.
 */
export function openSchemaChecks(databaseWorkerUrl: URL): SchemaChecks {
  const workerUrl = new URL(databaseWorkerUrl.href.replace('database-worker', 'schema-worker'))
  return {
    check: (given, signal) =>
      new Promise((resolve) => {
        const worker = new Worker(workerUrl, { resourceLimits })
        const end = (): void => void worker.terminate()
        signal.addEventListener('abort', end, { once: true })
        worker.once('message', (check: WebhookCheck) => {
          resolve(check)
          end()
        })
        // Out of memory; the exit event follows.
        worker.once('error', () => undefined)
        worker.once('exit', () => {
          signal.removeEventListener('abort', end)
          resolve(null)
        })
        if (signal.aborted) end()
        else worker.postMessage(given)
      }),
  }
}
