import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { recoverPage, type RecoveryDeps } from '../../electron/main/recover-page.ts'

/** A window whose questions are answered in this order; an Error: the question cannot be shown. */
function aWindow(...answers: readonly (boolean | Error)[]) {
  const [window, page] = [new EventEmitter(), new EventEmitter()]
  const seen = { now: 0, did: [] as string[] }
  const waiting = [...answers]
  const ends = (reason: string): void => void page.emit('render-process-gone', {}, { reason, exitCode: 5 })
  Object.assign(page, {
    reload: () => void seen.did.push('reload'),
    forcefullyCrashRenderer: () => ends('killed'),
  })
  recoverPage({
    window: Object.assign(window, { webContents: page }) as unknown as RecoveryDeps['window'],
    log: {
      write: (_, message, details) =>
        void seen.did.push([message, ...Object.values(details ?? {})].join(' ')),
    },
    ask: async (what) => {
      seen.did.push(`asked: ${what}`)
      const answer = waiting.shift()
      if (answer instanceof Error) throw answer
      return answer ?? false
    },
    quit: () => void seen.did.push('quit'),
    now: () => seen.now,
  })
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 5; round += 1) await Promise.resolve()
  }
  return { seen, ends, hangs: () => window.emit('unresponsive'), settle }
}
const ended = 'The page ended crashed 5'
const hung = 'The page does not respond'

test('a page that ended is loaded again, and one that ends again a minute later too', () => {
  const { seen, ends } = aWindow()
  ends('crashed')
  seen.now = 60_001
  ends('crashed')
  expect(seen.did).toEqual([ended, 'reload', ended, 'reload'])
})

test.each([
  ['load it again', true, ['reload']],
  ['quit', false, ['quit']],
  ['(cannot be shown)', new Error('no display'), []],
])('a page that ends twice within a minute is decided on by a person: %s', async (_, answer, then) => {
  const { seen, ends, settle } = aWindow(answer)
  ends('crashed')
  ends('crashed')
  await settle()
  expect(seen.did).toEqual([ended, 'reload', ended, 'asked: ended', ...then])
})

test('a page that is closed is not loaded again', () => {
  const { seen, ends } = aWindow()
  ends('clean-exit')
  expect(seen.did).toEqual([])
})

test.each([
  ['wait', false, []],
  ['load it again', true, ['The page ended killed 5', 'reload']],
])('a page that does not respond is asked about once: %s', async (_, answer, then) => {
  const { seen, hangs, settle } = aWindow(answer)
  hangs()
  hangs()
  await settle()
  expect(seen.did).toEqual([hung, 'asked: hung', hung, ...then])
})
