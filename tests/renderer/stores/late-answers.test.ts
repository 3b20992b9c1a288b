/// <reference types="vite/types/importMeta.d.ts" />
import { flushPromises } from '@vue/test-utils'
import fc from 'fast-check'
import { createPinia, setActivePinia, type StoreDefinition } from 'pinia'
import { isRef, toRaw, unref } from 'vue'
import { describe, expect, test, vi } from 'vitest'
import { done, failed, type Outcome } from '../../../electron/contract/failure.ts'
import { cases } from '../../setup/cases.ts'
import { devicesOf, openCore, type TestCore } from '../core.ts'
import { presentAt } from '../present-at.ts'
import { askedOnce, madeUp, questionsOf, shownByFunctions, type Subjects } from './store-questions.ts'

const sources = import.meta.glob<string>('../../../renderer/**/*.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const modules = import.meta.glob<Readonly<Record<string, unknown>>>('../../../renderer/**/*.ts')
const isStore = (one: unknown): one is StoreDefinition => typeof one === 'function' && '$id' in one
/** Every store of a file that asks the core, or waits for another store. */
const stores = new Map<string, StoreDefinition>()
for (const [file, source] of Object.entries(sources))
  if (/\bdefineStore\(/.test(source) && /\bapi\.\w|\bawait\b/.test(source))
    for (const one of Object.values((await modules[file]?.()) ?? {}))
      if (isStore(one)) stores.set(one.$id, one)

/** Their answers are returned to the caller or not used, so nothing in them depends on an answer. */
const withoutAnswers = new Set(['filter suggestions', 'list-layouts', 'read-settings'])

async function prepare({ handlers, finish }: TestCore): Promise<void> {
  const { rows } = await handlers.devices.slice({ where: '', sort: [], start: 0, count: 4 })
  const ids = rows.map(({ id }) => id)
  await finish(handlers.devices.settings({ id: ids[0] ?? '', refresh: true }))
  await handlers.tags.change({ selection: { kind: 'picked', ids }, add: ['loan', 'pilot'], remove: [] })
  for (const name of ['One', 'Two']) {
    await handlers.lists.paste({ text: ids.join('\n'), keep: true, name })
    for (const list of ['devices', 'rooms'] as const)
      await handlers.views.save({ list, name, where: '', sort: [], columns: null })
    const productId = rows[0]?.productId ?? 0
    const settings = [{ name: 'ringerVolume', value: 1 }]
    await handlers.goldenProfiles.save({ id: null, name, productId, variantType: null, settings })
  }
  await handlers.explorer.saveExample({
    name: 'An example',
    operation: 'GetTelemetry',
    parameters: { apiVersion: '18' },
  })
  const rooms = await handlers.rooms.list({ where: '', sort: [], start: 0, count: 2 })
  for (const { id } of rooms.rows) {
    const terms = { startAt: null, window: null, keepTrying: false, canary: false }
    const work = { kind: 'reboot-rooms', of: 'rooms', selection: { kind: 'picked', ids: [id] } } as const
    const plan = await finish(handlers.jobs.plan({ work, ...terms }))
    await finish(handlers.jobs.start({ plan: plan.id, unlock: true, typed: plan.typeNumber }))
  }
}

/** An answer as it was `age` questions ago: other numbers (except ids), flags and fewer rows, of the same form. */
function older(value: unknown, age: number): unknown {
  if (age === 0) return value
  if (typeof value === 'number') return value + age
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value))
    return value.slice(0, Math.max(0, value.length - age)).map((one) => older(one, age))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      /^id$|Id$/.test(name) ? member : older(member, age),
    ]),
  )
}

/** The connection of the pages: the answers are those of a core, and can be delayed. */
function delayedAnswers(core: TestCore, steady: readonly string[] = []) {
  const known = new Map<string, Promise<Outcome<unknown>>>()
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  const waiting: (() => void)[] = []
  const open = { delayed: false, questions: 0, asked: 0, fails: false, calls: 0 }
  const answerOf = (method: string, argument: unknown): Promise<Outcome<unknown>> => {
    const key = `${method} ${JSON.stringify(argument)}`
    const answer =
      known.get(key) ??
      (method in madeUp ? Promise.resolve(done(madeUp[method])) : core.finish(core.call(method, argument)))
    known.set(key, answer)
    return answer
  }
  Object.assign(globalThis, {
    headroom: {
      async call(method: string, argument: unknown): Promise<Outcome<unknown>> {
        const age = steady.includes(method) ? 0 : open.questions - open.asked
        const [fails, call] = [open.fails, ++open.calls]
        const answer = answerOf(method, argument)
        if (open.delayed) {
          const { promise, resolve } = Promise.withResolvers<void>()
          waiting.push(resolve)
          await Promise.all([promise, answer])
        }
        if (fails) return failed({ kind: 'bug', reference: `call ${call}` })
        const outcome = structuredClone(await answer)
        if (outcome.ok) return { ok: true, value: older(outcome.value, age) }
        return age === 0 ? outcome : failed({ kind: 'bug', reference: `${age} questions ago` })
      },
      subscribe(event: string, listener: (payload: unknown) => void) {
        const own = listeners.get(event) ?? new Set()
        listeners.set(event, own.add(listener))
        return () => own.delete(listener)
      },
    },
  })
  return {
    open,
    waiting,
    begin(questions: number) {
      listeners.clear()
      waiting.length = 0
      Object.assign(open, { delayed: false, questions, asked: questions, fails: false, calls: 0 })
    },
    emit: (event: string) => listeners.get(event)?.forEach((listener) => listener({ ids: [], count: 0 })),
    ready: () => Promise.all(known.values()),
  }
}
type Answers = ReturnType<typeof delayedAnswers>

/** Lists count how often they were loaded; everything else is what a page shows. */
const notShown = new Set(['startedOver', 'changed'])
const isShown = (name: string, member: unknown): boolean =>
  !/^[$_]/.test(name) && !notShown.has(name) && (isRef(member) || typeof member !== 'function')
const shownBy = (store: object, more: unknown): string =>
  JSON.stringify(
    [
      Object.fromEntries(Object.entries(toRaw(store)).filter(([name, member]) => isShown(name, member))),
      more,
    ],
    (name, member: unknown) => {
      const value = unref(member)
      // Counters and moments of the answers.
      if (['question', 'valueOf', 'answeredAt'].includes(name)) return undefined
      if (value instanceof Map || value instanceof Set) return [...value]
      return value
    },
  )

const questionsAtMost = 8

interface Asked {
  readonly question: number
  readonly fails: boolean
}
/**
 * The state of a store after its questions were put at once and answered in this order; 0: the oldest first.
 * `age`: how old the answer to the last question is.
 */
async function stateAfter(
  id: string,
  about: Subjects,
  answers: Answers,
  asked: readonly Asked[],
  order: readonly number[],
  age = 0,
): Promise<{ readonly shown: string; readonly together: number }> {
  setActivePinia(createPinia())
  vi.setSystemTime(presentAt)
  answers.begin(asked.length + age)
  const turn = async (): Promise<void> => {
    await flushPromises()
    vi.advanceTimersByTime(1_000)
    await flushPromises()
  }
  const making = Promise.resolve(questionsOf[id]?.(about) ?? [])
  await turn()
  const questions = await making
  await turn()
  await answers.ready()
  await turn()
  answers.open.delayed = true
  for (const [index, one] of asked.entries()) {
    Object.assign(answers.open, { asked: index + 1, fails: one.fails })
    void questions[one.question % questions.length]?.()
    await turn()
  }
  answers.open.fails = false
  const together = answers.waiting.length
  for (let at = 0; answers.waiting.length > 0; at++) {
    await answers.ready()
    answers.waiting.splice((order[at] ?? 0) % answers.waiting.length, 1)[0]?.()
    await turn()
  }
  return { shown: shownBy(stores.get(id)?.() ?? {}, shownByFunctions[id]?.(about)), together }
}

const asked = fc.array(fc.record({ question: fc.nat(20), fails: fc.nat(3).map((drawn) => drawn === 0) }), {
  minLength: 2,
  maxLength: 4,
})
const order = fc.array(fc.nat(20), { minLength: 12, maxLength: 12 })

describe('answers in any order', () => {
  test('are tried with every store that asks the core', () => {
    expect([...stores.keys()].toSorted()).toEqual(Object.keys(questionsOf).toSorted())
  })

  test.each([...stores.keys()])('end in the state of the last question: %s', async (id) => {
    const core = await openCore({}, prepare)
    const { handlers } = core
    const devices = (await devicesOf(core)).slice(0, 2)
    const { jobs } = await handlers.jobs.list({ where: '', sort: [], start: 0, count: 2 })
    const items = await handlers.jobs.items({ id: jobs[0]?.id ?? '', show: null, start: 0, count: 2 })
    const lines = await handlers.journal.list({ where: '', subjectId: null, start: 0, count: 2 })
    const rooms = await handlers.rooms.list({ where: '', sort: [], start: 0, count: 2 })
    const profiles = await handlers.goldenProfiles.list()
    const products = await handlers.firmware.products({ text: '', owned: true, start: 0, count: 2 })
    const organizations = await handlers.organizations.list()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
    const answers = delayedAnswers(core, askedOnce[id])
    const about: Subjects = {
      devices: devices.map((one) => one.id),
      rooms: rooms.rows.map((one) => one.id),
      products: products.rows,
      jobs,
      items: items.items.map((one) => one.id),
      profiles: profiles.map(({ profile }) => profile),
      lines: lines.lines.map((one) => one.id),
      organization: organizations.organizations[0]?.id ?? '',
      emit: answers.emit,
    }
    let atOnce = 0
    await fc.assert(
      fc.asyncProperty(asked, order, async (questions, drawn) => {
        const inTurn = await stateAfter(id, about, answers, questions, [])
        const inAnyOrder = await stateAfter(id, about, answers, questions, drawn)
        atOnce = Math.max(atOnce, inTurn.together)
        expect(JSON.parse(inAnyOrder.shown)).toEqual(JSON.parse(inTurn.shown))
      }),
      { numRuns: cases(200, 20) },
    )
    // Otherwise the questions say nothing about this store.
    const isShownAtAll = async (question: number): Promise<boolean> => {
      const alone = [{ question, fails: false }]
      const [now, before] = [
        await stateAfter(id, about, answers, alone, []),
        await stateAfter(id, about, answers, alone, [], 1),
      ]
      return now.shown !== before.shown
    }
    const shown = []
    for (let question = 0; question < questionsAtMost; question++) shown.push(await isShownAtAll(question))
    expect({ atOnce: atOnce > 1, shown: shown.includes(true) }).toEqual({
      atOnce: true,
      shown: !withoutAnswers.has(id),
    })
  })
})
