import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openLog } from '../../electron/adapters/log.ts'

const now = () => Date.UTC(2026, 10, 21, 14, 2)
let folder: string
const lines = (name = 'headroom.log'): unknown[] =>
  readFileSync(join(folder, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'headroom-log-')), 'made', 'when needed')
  onTestFinished(() => rmSync(join(folder, '..', '..'), { recursive: true, force: true }))
})

test('writes each line as one JSON object with its time, readable by its owner alone', () => {
  const log = openLog(folder, now)
  log.write('info', 'Sync ended', { pages: 12, complete: true, reason: null })
  log.write('warn', 'two\nlines')
  expect(lines()).toEqual([
    {
      at: '2026-11-21T14:02:00.000Z',
      level: 'info',
      message: 'Sync ended',
      pages: 12,
      complete: true,
      reason: null,
    },
    { at: '2026-11-21T14:02:00.000Z', level: 'warn', message: 'two\nlines' },
  ])
  expect(statSync(join(folder, 'headroom.log')).mode & 0o077).toBe(0)
})

test('leaves out details meant for developers', () => {
  const log = openLog(folder, now)
  log.write('debug', 'noise')
  log.write('error', 'heard')
  expect(lines()).toMatchObject([{ level: 'error' }])
})

test('leaves out known keys everywhere, including those learned later', () => {
  const log = openLog(folder, now)
  log.scrubWith((text) => text.replaceAll('sentinel-one', '…'))
  log.write('info', 'before sentinel-one', { place: 'at sentinel-one', 'sentinel-one': 1 })
  log.scrubWith((text) => text.replaceAll('sentinel-two', '…'))
  log.write('info', 'after sentinel-two', { place: 'at sentinel-two' })
  expect(readFileSync(join(folder, 'headroom.log'), 'utf8')).not.toMatch(/sentinel/)
})

test.each([
  ['Ocp-Apim-Subscription-Key: hidden-value', 'Ocp-Apim-Subscription-Key: [removed]'],
  ['{"subscriptionKey":"hidden-value","a":1}', '{"subscriptionKey":[removed],"a":1}'],
  ['page?continuationToken=hidden-value&b=1', 'page?continuationToken=[removed]&b=1'],
  ['Authorization: Basic hidden-value', 'Authorization: [removed]'],
  ['https://files.example/a.zip?sv=1&sig=hidden-value', 'https://files.example/a.zip?sv=1&sig=[removed]'],
  ["password = 'hidden value'", 'password = [removed]'],
  ['The primary key was refused', 'The primary key was refused'],
])('writes %s as %s', (message, written) => {
  openLog(folder, now).write('info', message)
  expect(lines()).toMatchObject([{ message: written }])
})

test.each([
  'key',
  'subscriptionKey',
  'Ocp-Apim-Subscription-Key',
  'password',
  'clientSecret',
  'Authorization',
  'cookie',
  'continuationToken',
])('does not write a detail called %s', (name) => {
  openLog(folder, now).write('info', 'm', { [name]: 'hidden-value' })
  expect(readFileSync(join(folder, 'headroom.log'), 'utf8')).not.toContain('hidden-value')
})

test('cuts a long text', () => {
  openLog(folder, now).write('info', 'x'.repeat(1_000_000))
  expect(statSync(join(folder, 'headroom.log')).size).toBeLessThan(2_100)
})

test('rotates a full file and keeps only the previous one', () => {
  const log = openLog(folder, now)
  for (let i = 0; i < 1_500; i++) log.write('info', 'x'.repeat(1_900), { number: i })
  const sizes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).size <= 1024 * 1024])
  expect(sizes).toEqual([
    ['headroom.log', true],
    ['headroom.previous.log', true],
  ])
  const stored = [...lines('headroom.previous.log'), ...lines()] as { readonly number: number }[]
  expect(stored.map(({ number }) => number)).toEqual(
    Array.from({ length: stored.length }, (_, i) => 1_500 - stored.length + i),
  )
})

test('appends to the same file on a second start', () => {
  openLog(folder, now).write('info', 'first')
  openLog(folder, now).write('info', 'second')
  expect(lines()).toMatchObject([{ message: 'first' }, { message: 'second' }])
})

test('keeps the program running when the log cannot be written, and tries again', () => {
  const inTheWay = join(folder, '..')
  writeFileSync(inTheWay, 'a file where a folder should be')
  const log = openLog(folder, now)
  log.write('error', 'lost')
  rmSync(inTheWay)
  log.write('error', 'kept')
  expect(lines()).toMatchObject([{ message: 'kept' }])
})
