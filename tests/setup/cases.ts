import { appendFileSync } from 'node:fs'
import { expect } from 'vitest'
import { inFull } from './in-full.ts'

/** A proof counts what really ran: one line of JSON for each property or loop. */
const countedIn = process.env['HEADROOM_COUNTED_IN']

/** The cases of a property test: a thirtieth in `npm test`, but `few` if there are as many: enough that every kind of case occurs. */
export const cases = (full: number, few = 30): number =>
  inFull ? full : Math.max(Math.min(full, few), Math.ceil(full / 30))

/** The kills of a test that kills programs: in `npm test` the fewest in which every kind of kill occurs. */
export const kills = (few: number): number => (inFull ? 50 : few)

/** What ran in one test, as a proof compares and reports it. */
export interface Count {
  readonly test: string
  readonly of: 'cases' | 'kills'
  readonly due: number
  readonly ran: number
}

/** Tells a proof what ran: property tests do so by themselves, a loop by its last line. */
export function count(of: Count['of'], due: number, ran: number): void {
  if (countedIn === undefined) return
  const line: Count = { test: expect.getState().currentTestName ?? '', of, due, ran }
  appendFileSync(countedIn, `${JSON.stringify(line)}\n`)
}
