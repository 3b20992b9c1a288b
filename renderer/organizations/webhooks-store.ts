import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { ParsedWebhook, WebhookValidation } from '../../electron/contract/api/webhooks.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'
import { refreshNow } from '../components/now.ts'

/** The maximum size of a text or a file in characters: the core accepts no more. */
export const READ_AT_MOST = 1_000_000
/** Pause in the typing before a text is parsed. Lower it if the result feels slow. */
const READ_AFTER_IN_MS = 200

/** The validation event of a webhook, for this run only. */
export const useWebhooks = defineStore('webhooks', () => {
  const text = shallowRef('')
  const reading = latestResult<ParsedWebhook>()
  const validation = latestResult<WebhookValidation>()
  let timer: ReturnType<typeof setTimeout> | undefined

  return {
    text,
    reading: reading.value,
    readingFailure: reading.failure,
    validation: validation.value,
    validationFailure: validation.failure,
    validating: validation.busy,
    /** Parses a text shortly after the last key press. */
    setText(next: string): void {
      if (next === text.value) return
      validation.clear()
      text.value = next
      clearTimeout(timer)
      if (next.trim() === '') return reading.clear()
      timer = setTimeout(() => void reading.take(api.webhooks.read({ text: next })), READ_AFTER_IN_MS)
    },
    async validate(): Promise<void> {
      await validation.take(api.webhooks.validate({ text: text.value }))
      refreshNow()
    },
  }
})
