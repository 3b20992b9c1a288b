import { parentPort } from 'node:worker_threads'
import { work, type Question, type Value } from './database-requests.ts'

/** `id` is that of the request. */
export type ThreadRequest = Question & { readonly id: number }
export type ThreadAnswer =
  | { readonly id: number; readonly ok: true; readonly value: Value }
  | { readonly id: number; readonly ok: false; readonly errcode: number | null; readonly message: string }

async function answer(request: ThreadRequest): Promise<void> {
  try {
    const value = await work(request)
    const result: ThreadAnswer = { id: request.id, ok: true, value }
    parentPort?.postMessage(result, value instanceof Float64Array ? [value.buffer as ArrayBuffer] : [])
  } catch (error) {
    const errcode =
      error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null
    const result: ThreadAnswer = {
      id: request.id,
      ok: false,
      errcode,
      message: error instanceof Error ? error.message : 'The reading thread failed.',
    }
    parentPort?.postMessage(result)
  }
}

parentPort?.on('message', (request: ThreadRequest) => void answer(request))
