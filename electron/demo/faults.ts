import { numberOf, roll } from './random.ts'

export const faultNames = [
  'slow',
  'error-500',
  'early-429',
  'truncated-json',
  'html',
  'dropped-connection',
  'cut-after-connect',
  'cut-mid-request',
  'cut-before-answer',
  'cut-mid-answer',
  'null-members',
  'repeated-token',
  'empty-page',
  'unknown-members',
  'damaged-records',
  'error-in-200',
  'wrong-content-type',
  'no-personal',
  'no-room-list',
  'expired-token',
  'refuse-primary-key',
  'refuse-400',
  'refuse-403',
  'refuse-404',
  'error-500-late',
  'stays-down',
  'late-settings',
  'firmware-fails',
  'file-slow',
  'file-cut',
  'file-changed',
  'file-short',
  'file-long',
  'no-range',
  'link-expired',
] as const

export type FaultName = (typeof faultNames)[number]

export interface Fault {
  readonly name: FaultName
  /** Share of calls (or of records) that it applies to, above 0 and at most 1. */
  readonly rate: number
  /** Maximum number of times; null: no limit. */
  readonly times: number | null
  /** Only calls of this operation; null: all. */
  readonly operation: string | null
  /** Only calls about these devices or rooms (a room by its own id or a group id); missing: all. */
  readonly subjects?: readonly string[]
  /** Only this one of the matching calls, counted from 1; missing: any. */
  readonly nth?: number
  /** The share is one of devices and rooms, always the same ones, instead of calls. */
  readonly sticks?: boolean
}

export const isFaultName = (name: string): name is FaultName =>
  (faultNames as readonly string[]).includes(name)

/** `NAME` or `NAME=RATE`; null: invalid. */
export const parseFault = (text: string): Fault | null => {
  const [name = '', rateText = '1', ...rest] = text.split('=')
  const rate = Number(rateText)
  return rest.length > 0 || !isFaultName(name) || rateText.trim() === '' || !(rate > 0 && rate <= 1)
    ? null
    : { name, rate, times: null, operation: null }
}

interface Armed {
  readonly fault: Fault
  requests: number
  struck: number
}

/** The faults that are switched on. The same seed and the same order of calls give the same faults. */
export class Faults {
  readonly #seed: number
  readonly #armed = new Map<string, Armed>()

  constructor(seed: number, faults: readonly Fault[]) {
    this.#seed = seed
    for (const fault of faults) this.set(fault)
  }

  /** Switches a fault on or replaces it. The same fault may be on for several operations. */
  set(fault: Fault): void {
    this.#armed.set(`${fault.name} ${fault.operation ?? ''}`, { fault, requests: 0, struck: 0 })
  }

  clear(name: FaultName | null = null): void {
    for (const [id, armed] of this.#armed)
      if (name === null || armed.fault.name === name) this.#armed.delete(id)
  }

  list(): readonly (Fault & { readonly struck: number })[] {
    return [...this.#armed.values()].map(({ fault, struck }) => ({ ...fault, struck }))
  }

  /** Whether a fault applies to this call. `subjects`: the ids of the device or room it is about. */
  strikes(name: FaultName, operation: string, subjects: readonly string[] = []): boolean {
    const armed = this.#armed.get(`${name} ${operation}`) ?? this.#armed.get(`${name} `)
    if (armed === undefined) return false
    const { times, nth, sticks, rate, subjects: only } = armed.fault
    if (times !== null && armed.struck >= times) return false
    if (only !== undefined && !subjects.some((id) => only.includes(id))) return false
    armed.requests += 1
    if (nth !== undefined && armed.requests !== nth) return false
    const of = sticks === true && subjects[0] !== undefined ? numberOf(subjects[0]) : armed.requests
    if (roll(this.#seed, numberOf(name), of) >= rate) return false
    armed.struck += 1
    return true
  }

  /** Whether a fault applies to this record: always the same records. */
  strikesRecord(name: FaultName, record: number): boolean {
    const armed = this.#armed.get(`${name} `)
    return armed !== undefined && roll(this.#seed, numberOf(name), record, 501) < armed.fault.rate
  }
}

const damage: readonly ((record: Record<string, unknown>) => unknown)[] = [
  () => null,
  () => 'a text where a record should be',
  () => 42,
  () => [],
  (record) => ({ ...record, id: '' }),
  (record) => ({ ...record, id: null }),
  (record) => ({ ...record, id: { value: 7 } }),
  ({ id: _, ...rest }) => rest,
]

const keeps = new Set(['id', 'deviceGroupId'])

/** A record after the faults that affect records. `number` identifies the record. */
export const spoil = (record: Record<string, unknown>, faults: Faults, number: number): unknown => {
  if (faults.strikesRecord('damaged-records', number)) return damage[number % damage.length]?.(record)
  let spoilt = record
  if (faults.strikesRecord('null-members', number)) {
    spoilt = Object.fromEntries(
      Object.entries(spoilt).map(([name, value]) => [
        name,
        !keeps.has(name) && roll(numberOf(name), number, 502) < 0.5 ? null : value,
      ]),
    )
  }
  if (faults.strikesRecord('unknown-members', number)) {
    spoilt = {
      ...spoilt,
      futureMember: { nested: [1, 'two', null, { three: true }] },
      'member with spaces': '=1+1',
      futureNumber: 1e308,
      __proto: 'harmless',
      status2: 'Levitating',
    }
  }
  return spoilt
}
