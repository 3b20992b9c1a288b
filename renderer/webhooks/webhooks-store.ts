import { defineStore } from 'pinia'
import { computed, ref, shallowRef, type ShallowRef } from 'vue'
import type { Failure } from '../../electron/contract/failure.ts'
import type { WebhookCheck, ParsedWebhook, WebhookValidation } from '../../electron/contract/api/webhooks.ts'
import type { WebhookStep } from '../../electron/contract/webhook.ts'
import { api } from '../api.ts'
import { latestResult, type LatestResult } from '../components/latest-result.ts'
import { refreshNow } from '../components/now.ts'

/** The maximum size of a text or a file in characters: the core accepts no more. */
export const READ_AT_MOST = 1_000_000
/** Pause in the typing before a text is parsed. Lower it if the result feels slow. */
const READ_AFTER_IN_MS = 200

/**
 * The validation event, a payload and its schema. They exist for this run only; the ticks of the checklist
 * are stored.
 */
export const useWebhooks = defineStore('webhooks', () => {
  const event = parsedText()
  const payload = parsedText()
  const schema = ref('')
  const validation = latestResult<WebhookValidation>()
  const check = latestResult<WebhookCheck>()
  const steps = latestResult<readonly WebhookStep[]>()
  let checkTimer: ReturnType<typeof setTimeout> | undefined

  /** Nothing is checked while one of the two is missing. */
  function checkSoon(inMs: number): void {
    clearTimeout(checkTimer)
    if (payload.text.value.trim() === '' || schema.value.trim() === '') return check.clear()
    checkTimer = setTimeout(
      () => void check.take(api.webhooks.check({ schema: schema.value, payload: payload.text.value })),
      inMs,
    )
  }

  return {
    text: event.text,
    reading: event.reading.value,
    readingFailure: event.reading.failure,
    payload: payload.text,
    payloadReading: payload.reading.value,
    payloadFailure: payload.reading.failure,
    schema,
    validation: validation.value,
    validationFailure: validation.failure,
    validating: validation.busy,
    check: check.value,
    checkFailure: check.failure,
    checking: check.busy,
    done: computed<readonly WebhookStep[]>(() => steps.value.value ?? []),
    setText(text: string): void {
      if (text === event.text.value) return
      validation.clear()
      event.set(text)
    },
    setPayload(text: string): void {
      payload.set(text)
      checkSoon(READ_AFTER_IN_MS)
    },
    setSchema(text: string): void {
      schema.value = text
      checkSoon(READ_AFTER_IN_MS)
    },
    async validate(): Promise<void> {
      await validation.take(api.webhooks.validate({ text: event.text.value }))
      refreshNow()
    },
    async loadSteps(): Promise<void> {
      await steps.take(api.webhooks.steps({ done: null }))
    },
    /** Returns why the ticks could not be stored; null: they were stored. */
    async keepSteps(done: readonly WebhookStep[]): Promise<Failure | null> {
      await steps.take(api.webhooks.steps({ done }))
      return steps.failure.value
    },
  }
})

interface ParsedText {
  readonly text: ShallowRef<string>
  readonly reading: LatestResult<ParsedWebhook>
  readonly set: (text: string) => void
}

/** A text, and the core's result for it, updated shortly after the last key press. */
function parsedText(): ParsedText {
  const text = shallowRef('')
  const reading = latestResult<ParsedWebhook>()
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    text,
    reading,
    set(next) {
      text.value = next
      clearTimeout(timer)
      if (next.trim() === '') return reading.clear()
      timer = setTimeout(() => void reading.take(api.webhooks.read({ text: next })), READ_AFTER_IN_MS)
    },
  }
}
