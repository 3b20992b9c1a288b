import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Job } from '../../electron/contract/api/jobs.ts'
import {
  anApp,
  beginSynced,
  front,
  once,
  programs,
  reboot,
  rebootAll,
  rooms,
  writesTo,
} from './owner-programs.ts'

beforeEach(beginSynced)

describe('the lock file', () => {
  const path = (): string => join(programs.home, 'owner.sqlite')
  it.each([
    ['deleted', () => rmSync(path())],
    ['renamed', () => renameSync(path(), `${path()}.old`)],
  ] as const)('%s while the app owns it: no new call, and the client ends with 3', async (_, change) => {
    await anApp()
    change()
    const before = front.arrived.length
    // Detected through the socket, because a command that finds the lock free would become the owner.
    mkdirSync(path())
    const { code } = await programs.run(['sync', '--json'])
    rmSync(path(), { recursive: true })
    expect([code, front.arrived.length]).toEqual([3, before])
  })
  it('deleted while the app owns it: the app stays the only owner, and a process that takes the new file becomes its client', async () => {
    const app = await anApp()
    rmSync(path())
    const before = front.arrived.length
    const [list, write] = [
      await programs.run(['devices', '--json']),
      await programs.run(['reboot', rooms[0] ?? '', '--yes', '--unlock', '--json']),
    ]
    expect([list.code, write.code, write.errors.includes('"replaced"'), front.arrived.length]).toEqual([
      0,
      3,
      true,
      before,
    ])
    await app.kill()
    expect((await programs.run(['sync', '--json'])).code).toBe(0)
  })
  it('on a network share is not trusted: the last state is readable, no file is opened for writing, and the reason is shown', async () => {
    const fileSystem = { platform: 'linux', type: 0x6969 }
    const before = front.arrived.length
    const files = (): readonly unknown[] =>
      ['workbook', 'store'].map((name) => statSync(join(programs.home, `${name}.sqlite`)).mtimeMs)
    const stood = files()
    const [list, sync, write] = [
      await programs.run(['devices', '--json'], { fileSystem }),
      await programs.run(['sync'], { fileSystem }),
      await programs.run(['reboot', rooms[0] ?? '', '--yes', '--unlock'], { fileSystem }),
    ]
    expect([list.code, (JSON.parse(list.output) as { total: number }).total]).toEqual([0, 160])
    expect([sync.code, write.code, front.arrived.length, files()]).toEqual([3, 3, before, stood])
    const reported =
      'The lock of the data folder is not reliable (nfs). Headroom shows the data read before and sends nothing. Choose a folder on a disk of this computer with HEADROOM_HOME, then start Headroom again.'
    expect([list.errors, sync.errors, write.errors]).toEqual(
      [reported, reported, reported].map((line) => `${line}\n`),
    )
    expect(existsSync(path())).toBe(false)
  })
  it('replaced after something was sent: no new call, and the command ends with 4', async () => {
    const holding = front.holds(reboot)
    const { ended } = programs.start(rebootAll(24))
    await holding
    renameSync(path(), `${path()}.old`)
    front.letGo()
    const { code, output } = await ended
    const { job } = JSON.parse(output) as { job: Job }
    const sent = writesTo().length
    expect([code, sent < 24, job.counts.done, once(writesTo())]).toEqual([4, true, sent, true])
    // The room whose reboot was sent is polled after 20 s.
  })
  it('unavailable, with nothing read before: ends with 3', async () => {
    rmSync(path(), { force: true })
    mkdirSync(path())
    rmSync(join(programs.home, 'store.sqlite'))
    const { code, output, errors } = await programs.run(['devices', '--json'])
    expect([code, output, errors.includes('"unread"')]).toEqual([3, '', true])
  })
  const wal = (): void => writeFileSync(join(programs.home, 'store.sqlite-wal'), 'x'.repeat(64))
  const damage = (name: string): void => {
    const file = join(programs.home, `${name}.sqlite`)
    writeFileSync(file, readFileSync(file).fill('x', 100))
  }
  it.each<[string, () => void, string]>([
    ['part of the store is only in its log', wal, 'part of store.sqlite is in store.sqlite-wal'],
    [
      'there is no workbook',
      () => rmSync(join(programs.home, 'workbook.sqlite')),
      'workbook.sqlite is missing',
    ],
    [
      'the workbook is empty',
      () => writeFileSync(join(programs.home, 'workbook.sqlite'), ''),
      'workbook.sqlite is empty',
    ],
    ['the workbook is damaged', () => damage('workbook'), 'workbook.sqlite cannot be read'],
    ['the store is damaged', () => damage('store'), 'store.sqlite cannot be read'],
  ])('unavailable because %s: ends with 3, and explains why', async (_, change, detail) => {
    mkdirSync(path())
    change()
    const [reported, json] = [
      await programs.run(['devices']),
      await programs.run(['device', 'any', '--json']),
    ]
    expect([reported.code, reported.output, reported.errors.split('\n')[0]]).toEqual([
      3,
      '',
      `The data folder cannot be locked, and its data is incomplete: ${detail}. Nothing is shown. Use the folder on a system where it can be locked, or choose another one with HEADROOM_HOME.`,
    ])
    expect([json.code, json.output, JSON.parse(json.errors)]).toEqual([
      3,
      '',
      { kind: 'data-folder', reason: 'not-whole', holder: null, detail },
    ])
  })
  it('unavailable: shows the last state and sends nothing', async () => {
    mkdirSync(path())
    const before = front.arrived.length
    const [list, sync, write] = [
      await programs.run(['devices', '--json']),
      await programs.run(['sync', '--json']),
      await programs.run(['reboot', rooms[0] ?? '', '--yes', '--unlock', '--json']),
    ]
    expect([list.code, sync.code, write.code, front.arrived.length]).toEqual([0, 3, 3, before])
    expect((JSON.parse(list.output) as { total: number }).total).toBe(160)
  })
})
