import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startDemonstration, type Demonstration } from '../../electron/demo/demonstration.ts'
import type { FaultName } from '../../electron/demo/faults.ts'
import { fromMorning } from '../demo/a-demonstration.ts'
import { openConnectedCore } from '../connected-core.ts'
import { aHomeWith, homeFiles, type HomeFiles } from './prepared-home.ts'
import { grown, Programs } from './programs.ts'
import { runOn } from './run-on.ts'

/** A small file of the demonstration, and one of some megabytes. */
const small = ['2830/2115', '1.5.0'] as const
const file = 'Jabra Link 43 1.5.0.zip'

let service: Demonstration
let to: string
/** A folder in the data folder, which commands run in. */
function beginIn(home: string): void {
  to = join(home, 'to')
  mkdirSync(to)
}

const fault = (name: FaultName, times: number | null = null): void =>
  service.faults.set({ name, rate: 1, times, operation: 'DownloadFile' })
const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')
const answered = (): number =>
  Object.values(service.counts().arrivals['DownloadFile'] ?? {}).reduce((sum, count) => sum + count, 0)

describe('downloading firmware on the command line', () => {
  let run: (words: readonly string[]) => ReturnType<typeof runOn>
  const download = (...more: string[]) => run(['firmware', 'download', ...small, '--json', ...more])
  beforeEach(async () => {
    const connected = await openConnectedCore({ devices: 20, rooms: 4 })
    onTestFinished(() => connected.close())
    await connected.add()
    service = connected.service
    beginIn(connected.home.folder)
    run = (words) => runOn(connected.core, words, { folder: to })
  })

  test('says so when nothing was downloaded yet', async () => {
    const lists = [
      ['firmware', 'downloads'],
      ['firmware', 'ledger'],
      ['firmware', 'ledger', small[0]],
    ]
    const said = []
    for (const words of lists) said.push((await run(words)).output)
    expect(said).toEqual([
      'There are no downloads.\n',
      'No firmware file has been downloaded yet.\n',
      expect.stringMatching(/^No firmware file of Jabra .+ has been downloaded yet\.\n$/),
    ])
  })

  test('accepts an id that is known only as hexadecimal, and reports that it was parsed so', async () => {
    const said = 'No product has the id 0843: 0x0843 (hexadecimal) was used.'
    const fetched = await run(['firmware', 'download', '0843', '1.5.0', '--json'])
    const ledger = await run(['firmware', 'ledger', '0843', '--json'])
    expect([fetched, ledger].map(({ code, errors }) => [code, errors.trim()])).toEqual([
      [0, said],
      [0, said],
    ])
  })

  test('saves to the current folder, records the file for verify, and skips it the second time', async () => {
    const { code, output } = await download()
    const result = JSON.parse(output) as Record<string, unknown>
    const path = join(to, readdirSync(to)[0] ?? '')
    expect([code, result]).toEqual([
      0,
      {
        product: { vendorId: 2830, productId: 2115, name: expect.any(String) as string },
        version: '1.5.0',
        buildType: 'Release',
        bundle: null,
        file: path,
        bytes: statSync(path).size,
        sha256: sha256(path),
        md5: expect.any(String) as string,
        host: new URL(service.metadataUrl).host,
        already: false,
        resumedFrom: 0,
        checks: { size: 'ok', md5: 'ok', ledger: 'new' },
      },
    ])
    const again = JSON.parse((await download('--to', '.')).output) as Record<string, unknown>
    expect([again['already'], again['checks'], answered()]).toEqual([
      true,
      { size: 'ok', md5: 'ok', ledger: 'same' },
      1,
    ])
    const ledger = JSON.parse((await run(['firmware', 'ledger', small[0], '--json'])).output) as {
      total: number
      entries: readonly Record<string, unknown>[]
    }
    expect([ledger.total, ledger.entries[0]]).toEqual([
      1,
      {
        vendorId: 2830,
        productId: 2115,
        version: '1.5.0',
        buildType: 'Release',
        bundle: null,
        sha256: sha256(path),
        bytes: statSync(path).size,
        md5: result['md5'],
        host: new URL(service.metadataUrl).host,
        at: expect.any(Number) as number,
        accepted: null,
        superseded: false,
      },
    ])
    await service.stop()
    writeFileSync(join(to, 'other.bin'), 'other')
    const verify = async (...names: string[]): Promise<[number | null, unknown]> => {
      const said = await run(['firmware', 'verify', ...names, '--json'])
      const { files } = JSON.parse(said.output) as { files: readonly { result: string; by: string | null }[] }
      return [said.code, files.map(({ result: outcome, by }) => [outcome, by])]
    }
    const name = path.slice(to.length + 1)
    expect(await verify(name)).toEqual([0, [['known', 'ledger']]])
    // A pattern that the shell has left as it is.
    expect(await verify(name.replace(/^.*\./, '*.'))).toEqual([0, [['known', 'ledger']]])
    expect(await verify(name, 'other.bin')).toEqual([
      4,
      [
        ['known', 'ledger'],
        ['unknown', null],
      ],
    ])
    writeFileSync(path, 'changed')
    const { errors } = await run(['firmware', 'verify', 'missing', '--json'])
    expect(errors.trim()).toBe(
      'missing cannot be read: it does not exist, is not a file, or may not be opened.',
    )
    expect(await verify(name, 'missing')).toEqual([
      3,
      [
        ['changed', null],
        ['unreadable', null],
      ],
    ])
  })

  test.each<[FaultName, string, object]>([
    ['file-changed', 'md5', { size: 'ok', md5: 'failed', ledger: null }],
    ['file-short', 'size', { size: 'failed', ledger: null }],
    ['file-long', 'size', { size: 'failed', md5: 'not compared', ledger: null }],
  ])('%s: ends with 3, the checks in the failure, and no file', async (name, what, checks) => {
    fault(name)
    const { code, output, errors } = await download()
    expect([code, output, readdirSync(to)]).toEqual([3, '', []])
    expect(JSON.parse(errors)).toMatchObject({ kind: 'file-mismatch', what, checks })
  })

  test.each<[FaultName, number | null]>([
    ['file-cut', 3],
    ['no-range', null],
    ['link-expired', 1],
  ])('recovers from %s inside the command', async (name, times) => {
    fault(name, times)
    const { code, output } = await download()
    const result = JSON.parse(output) as { resumedFrom: number; bytes: number }
    expect([code, result.resumedFrom > 0, readdirSync(to).length]).toEqual([0, name === 'file-cut', 1])
  })

  test('--to creates a folder whose parent exists; otherwise it ends with 3', async () => {
    expect((await download('--to', 'new')).code).toBe(0)
    expect(readdirSync(join(to, 'new'))).toHaveLength(1)
    const { code, errors } = await download('--to', join('a', 'b'))
    expect([code, JSON.parse(errors)]).toMatchObject([3, { kind: 'folder-unusable', reason: 'missing' }])
  })

  test('treats an empty reason for accepting a changed file as wrong usage', async () => {
    expect((await download('--accept-changed', ' ')).code).toBe(2)
  })

  test('--detach without an app ends with 3 and sends no request', async () => {
    const { code, errors } = await download('--detach')
    expect([code, JSON.parse(errors), answered()]).toMatchObject([
      3,
      { kind: 'data-folder', reason: 'nobody-stays' },
      0,
    ])
  })
})

interface Row {
  readonly id: string
  readonly state: string
  readonly bytes: number
}
describe('a download across processes', () => {
  let programs: Programs
  let connected: HomeFiles | null = null
  beforeEach(async () => {
    service = await startDemonstration({ now: fromMorning(), devices: 20, rooms: 4 })
    onTestFinished(() => service.stop())
    connected ??= await homeFiles(service)
    const home = aHomeWith(connected)
    const { managementUrl, metadataUrl, key } = service
    programs = new Programs(home, { managementUrl, metadataUrl, key })
    beginIn(home)
  })
  const download = () => programs.run(['firmware', 'download', ...small, '--json'], { cwd: to })
  const list = async (): Promise<readonly Row[]> =>
    (
      JSON.parse((await programs.run(['firmware', 'downloads', '--json'])).output) as {
        downloads: readonly Row[]
      }
    ).downloads
  /** Some megabytes, at one megabyte a second while the fault is on. */
  const large = ['firmware', 'download', '2830/9395', 'latest', '--json'] as const

  test('resumes after its command was killed, and has the right hash', async () => {
    fault('file-slow')
    const running = programs.start(large, { cwd: to })
    await grown(to, 200_000)
    running.child.kill('SIGKILL')
    await running.ended
    service.faults.clear()
    expect((await list()).map(({ state }) => state)).toEqual(['queued'])
    const { code, output } = await programs.run(large, { cwd: to })
    const result = JSON.parse(output) as { file: string; sha256: string; checks: object }
    expect([code, result.checks, sha256(result.file)]).toEqual([
      0,
      { size: 'ok', md5: 'ok', ledger: 'new' },
      result.sha256,
    ])
    expect(readdirSync(to)).toHaveLength(1)
  })

  test('fetches a file once for two clients of an app', async () => {
    const app = programs.app()
    await app.tells('owns')
    const said = await Promise.all([download(), download()])
    expect(said.map(({ code }) => code)).toEqual([0, 0])
    expect(answered()).toBe(1)
  })

  test('pauses when its client leaves, unless it was left to the app, where it continues through restarts', async () => {
    fault('file-slow')
    const app = programs.app()
    await app.tells('owns')
    const client = programs.start(large, { cwd: to })
    await grown(to, 100_000)
    client.child.kill('SIGKILL')
    await client.ended
    const [left] = await untilState('paused')
    const detached = await programs.run([
      'firmware',
      'downloads',
      'resume',
      left?.id ?? '',
      '--detach',
      '--json',
    ])
    expect([detached.code, JSON.parse(detached.output)]).toEqual([0, { id: left?.id }])
    await untilState('running')
    await app.kill()
    service.faults.clear()
    const next = programs.app()
    await next.tells('owns')
    await next.does('sync-on')
    await untilState('done')
    expect(readdirSync(to)).toHaveLength(1)
    expect(existsSync(join(to, `${file}.part`))).toBe(false)
  })

  async function untilState(state: string): Promise<readonly Row[]> {
    for (;;) {
      const rows = await list()
      if (rows[0]?.state === state) return rows
    }
  }
})
