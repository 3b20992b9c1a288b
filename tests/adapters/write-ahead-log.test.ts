import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { DatabaseThread } from '../../electron/adapters/database-thread.ts'
import { WriteAheadLog } from '../../electron/adapters/write-ahead-log.ts'
import { settle } from '../fake-clock.ts'

const mebibyte = 1024 * 1024
let folder: string
let path: string
let requested: string[]
/** What the thread does with a request. */
let answer: () => Promise<null>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headroom-log-'))
  path = join(folder, 'store.sqlite')
  requested = []
  answer = () => Promise.resolve(null)
  writeFileSync(`${path}-wal`, '')
})
afterEach(() => rmSync(folder, { recursive: true }))

const aLog = (): WriteAheadLog => {
  const thread: Pick<DatabaseThread, 'ask' | 'letGo'> = {
    ask: (request) => {
      requested.push(request.kind)
      return answer()
    },
    letGo: () => {
      requested.push('close')
      return Promise.resolve()
    },
  }
  return new WriteAheadLog(path, thread)
}
const longAs = (mebibytes: number): void => truncateSync(`${path}-wal`, mebibytes * mebibyte)
const hold = (work: () => Promise<void>): Promise<void> => {
  requested.push('writes held')
  return work()
}

it('leaves a log below 16 MiB alone', () => {
  longAs(15)
  aLog().grew(hold)
  expect(requested).toEqual([])
})

it('copies a longer log during writes, and moves it once while writes wait', async () => {
  longAs(17)
  const log = aLog()
  log.grew(hold)
  log.grew(hold)
  await settle()
  expect(requested).toEqual(['copy-log', 'writes held', 'move-log'])
})

it('moves a log again after the same amount was added, if another program prevented emptying it', async () => {
  const log = aLog()
  const moves = async (mebibytes: number): Promise<number> => {
    requested = []
    longAs(mebibytes)
    log.grew(hold)
    await settle()
    return requested.length
  }
  expect([await moves(17), await moves(32), await moves(33), await moves(1), await moves(17)]).toEqual([
    3, 0, 3, 0, 3,
  ])
})

it('only skips the move when its thread fails', async () => {
  answer = () => Promise.reject(new Error('The thread ended.'))
  longAs(17)
  const log = aLog()
  log.grew(hold)
  await settle()
  await log.end()
  expect(requested).toEqual(['copy-log', 'close'])
})

it.each([
  ['copy', 0, ['copy-log']],
  ['move', 1, ['copy-log', 'writes held', 'move-log']],
])('waits for the %s in flight before it closes the file', async (_, before, expected) => {
  let answered: () => void = () => undefined
  answer = () =>
    requested.filter((one) => one.endsWith('-log')).length <= before
      ? Promise.resolve(null)
      : new Promise((resolve) => (answered = () => resolve(null)))
  longAs(17)
  const log = aLog()
  log.grew(hold)
  await settle()
  const ended = log.end()
  await settle()
  expect(requested).toEqual(expected)
  answered()
  await ended
  expect(requested).toEqual([...expected, 'close'])
})

it('skips a move whose turn comes after closing', async () => {
  let turn: () => void = () => undefined
  longAs(17)
  const log = aLog()
  log.grew(async (work) => {
    await new Promise<void>((come) => (turn = come))
    await work()
  })
  await settle()
  const ended = log.end()
  turn()
  await ended
  expect(requested).toEqual(['copy-log', 'close'])
})
