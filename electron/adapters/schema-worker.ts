import { parentPort } from 'node:worker_threads'
import type { WebhookCheckRequest } from '../contract/api/webhooks.ts'
import { checkPayload } from '../core/webhooks/schema-check.ts'

parentPort?.once('message', (given: WebhookCheckRequest) => parentPort?.postMessage(checkPayload(given)))
