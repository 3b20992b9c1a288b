import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { inFull } from '../setup/in-full.ts'
import { good } from '../contract/good-arguments.ts'
import { counted } from './counted.ts'
import {
  connect,
  dataFolder,
  expectCount,
  newHome,
  startProgram,
  startService,
  type Home,
  type Program,
  type Service,
} from './program.ts'
import { countsOf } from './service-switches.ts'

/** Calls in a proof; `npm test` makes a twentieth. */
const calls = inFull ? 20_000 : 1_000

let home: Home
let program: Program
let service: Service

test.beforeEach(async () => {
  home = newHome()
  service = await startService('--devices', '60', '--rooms', '6')
  program = await startProgram(home)
  await connect(program.page, service, 'Nordlys')
  await expectCount(program.page, 'devices', 60).catch(() => undefined)
  // Nobody sits in front of the window: each dialog is closed without an answer.
  await program.app.evaluate(({ dialog }) => {
    dialog.showMessageBox = async () => ({ response: -1, checkboxChecked: false })
    dialog.showSaveDialog = async () => ({ canceled: true, filePath: '' })
    dialog.showOpenDialog = async () => ({ canceled: true, filePaths: [] })
  })
})
test.afterEach(async () => {
  await program.close()
  await service.end()
  home.remove()
})

test('a script in the page that calls every method with anything ends nothing, finds no bug and sends no write', async () => {
  const { page } = program
  const methods = Object.entries(good)
  const answers = await page.evaluate(
    async ([all, count]) => {
      let state = 1
      const below = (limit: number): number => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
        return Math.floor((state / 2 ** 32) * limit)
      }
      const odd: readonly (() => unknown)[] = [
        () => null,
        () => undefined,
        () => -1,
        () => Number.NaN,
        () => 2 ** 53,
        () => true,
        () => '',
        () => '\ud800\0<img src=x>',
        () => "'; DROP TABLE job; --",
        () => 'x'.repeat(below(4_000)),
        () => '../../../../etc/passwd',
        () => 'https://127.0.0.1:1/',
        () => Array.from({ length: below(60) }, () => below(9)),
        () => ({ __proto__: null, constructor: 1, kind: 'matching', where: 'gone:any', except: [] }),
        () => new Map([['a', 1]]),
        () => new Date(below(1e9)),
        () => 10n,
        () => new Uint8Array(below(5_000)),
      ]
      const one = (): unknown => odd[below(odd.length)]!()
      const argumentLike = (base: unknown): unknown => {
        if (typeof base !== 'object' || base === null || below(4) === 0) return one()
        const changed: Record<string, unknown> = { ...base }
        for (let times = below(3); times >= 0; times--) {
          const names = [...Object.keys(base), 'another']
          changed[names[below(names.length)]!] = one()
        }
        return changed
      }
      const kinds: Record<string, number> = {}
      const answered = async (method: string, argument: unknown): Promise<void> => {
        const kind = await window.headroom!.call(method, argument).then(
          (outcome) => (outcome.ok ? 'ok' : outcome.failure.kind),
          // What cannot be cloned does not leave the page.
          () => 'not sent',
        )
        kinds[kind] = (kinds[kind] ?? 0) + 1
      }
      for (let at = 0; at < count;) {
        const batch: Promise<void>[] = []
        for (let left = 50; left > 0; left--, at++) {
          const [method, base] = all[at % all.length]!
          batch.push(answered(method, argumentLike(base)))
        }
        await Promise.all(batch)
      }
      return kinds
    },
    [methods, calls] as const,
  )
  const made = Object.values(answers).reduce((sum, one) => sum + one, 0)
  const { writes } = await countsOf(service)
  const log = readFileSync(join(dataFolder(home), 'logs/headroom.log'), 'utf8')
  expect({
    made,
    bugs: answers['bug'] ?? 0,
    inLog: log.split('\n').filter((line) => line.includes('"level":"error"')),
    writes,
    pageErrors: program.pageErrors,
  }).toEqual({ made: calls, bugs: 0, inLog: [], writes: {}, pageErrors: [] })
  // Some were valid, most were refused.
  expect([answers['ok']! > 0, answers['invalid']! > calls / 2]).toEqual([true, true])
  await expect(page.locator('#app > *').first()).toBeVisible()
  counted(
    calls,
    made,
    `calls of ${methods.length} methods by a script in the page: ${JSON.stringify(answers)}; writes 0, bugs 0`,
  )
})
