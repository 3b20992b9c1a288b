import { appendFileSync } from 'node:fs'
import { test } from '@playwright/test'
import type { Count } from '../setup/cases.ts'

/** Tells a proof what was counted in a test; `note` is a line of its report. */
export function counted(due: number, ran: number, note: string): void {
  const file = process.env['HEADROOM_COUNTED_IN']
  if (file === undefined) return
  const line: Count & { readonly note: string } = { test: test.info().title, of: 'cases', due, ran, note }
  appendFileSync(file, `${JSON.stringify(line)}\n`)
}
