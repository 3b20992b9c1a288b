import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { build } from '../../bench/load/built.ts'
import { addOrganization, headroom } from '../../e2e/headroom.ts'
import { startService } from '../../e2e/program.ts'
import type { Result } from '../runner/part.ts'

/** What happens to a file, by its path. */
type Damage = (path: string) => void
const ofOthers = 'Not made by this program.\n'
const text =
  (content: string): Damage =>
  (path) => {
    rmSync(path, { force: true, recursive: true })
    writeFileSync(path, content)
  }
const sql =
  (statements: string): Damage =>
  (path) => {
    const database = new DatabaseSync(path)
    database.exec(statements)
    database.close()
  }
const damages = {
  damaged: (path) => {
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill('x', Math.floor(bytes.length / 3), Math.ceil((bytes.length * 2) / 3)))
  },
  truncated: (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  empty: (path) => truncateSync(path, 0),
  'of others': text(ofOthers.repeat(400)),
  'a folder': (path) => {
    rmSync(path, { force: true, recursive: true })
    mkdirSync(path)
  },
  'another database': (path) => {
    rmSync(path)
    sql('CREATE TABLE bookmark (url TEXT)')(path)
  },
  'a newer database': sql('PRAGMA user_version = 99'),
  'altered preferences': sql(
    `INSERT OR REPLACE INTO preference VALUES ('layouts', '{'), ('theme', '7'), ('downloadFolder', '[]'), ('window', 'x')`,
  ),
  'a newer kit': text('{"kit":99,"files":[]}'),
  'a newer owner': text('{"name":"another","socket":"/nowhere","later":true}'),
  'a newer profile': text('{"family":"Jabra SDK V4","later":1}'),
} satisfies Readonly<Record<string, Damage>>

const verify = ['kit', 'verify', 'FOLDER/kit']
const make = ['kit', 'make', '--product', '2830/9395', '--to', 'FOLDER/kit']
const fetch = ['firmware', 'download', '2830/9395', 'latest', '--to', 'FOLDER/files']
const add = ['org', 'add', 'Other', '--preset', 'custom', '--management-url', 'http://127.0.0.1:9']
const addWith = [...add, '--metadata-url', 'http://127.0.0.1:9', '--advanced', 'FOLDER/profile.json']
const check = ['webhook', 'check', 'FOLDER/payload.json', '--schema', 'FOLDER/schema.json']

/**
 * The file, what happens to it, the command and its exit code, its sentence (its beginning or a part; empty: none), and what becomes of
 * the file: `unchanged`, `aside` under another name, or written `anew`. FILE is the firmware file that was fetched.
 * A policy, window states and webhooks of the page: tests/core/policy, tests/main/window-state.test.ts, tests/core/webhooks.
 */
type Row = readonly [
  file: string,
  damage: keyof typeof damages,
  words: readonly string[],
  code: number,
  says: string,
  then: string,
]
const rows: readonly Row[] = [
  ['home/store.sqlite', 'damaged', ['devices'], 0, 'It was set aside and a new one was started.', 'aside'],
  ['home/store.sqlite', 'truncated', ['devices'], 0, 'It was set aside and a new one was started.', 'aside'],
  ['home/store.sqlite', 'empty', ['devices'], 0, 'The file store.sqlite was empty', 'anew'],
  ['home/store.sqlite', 'of others', ['devices'], 0, 'It was set aside and a new one was started.', 'aside'],
  [
    'home/store.sqlite',
    'another database',
    ['devices'],
    4,
    'The file store.sqlite has another format',
    'aside',
  ],
  ['home/store.sqlite', 'a newer database', ['devices'], 3, 'It was not changed.', 'unchanged'],
  ['home/store.sqlite', 'a folder', ['devices'], 3, 'store.sqlite', 'unchanged'],
  ['home/workbook.sqlite', 'damaged', ['org', 'list'], 4, 'The damaged file was set aside as', 'aside'],
  ['home/workbook.sqlite', 'truncated', ['org', 'list'], 4, 'The damaged file was set aside as', 'aside'],
  ['home/workbook.sqlite', 'empty', ['org', 'list'], 4, 'The file workbook.sqlite was empty', 'anew'],
  ['home/workbook.sqlite', 'of others', ['org', 'list'], 4, 'The damaged file was set aside as', 'aside'],
  ['home/workbook.sqlite', 'another database', ['org', 'list'], 3, 'It was not changed.', 'unchanged'],
  ['home/workbook.sqlite', 'a newer database', ['org', 'list'], 3, 'It was not changed.', 'unchanged'],
  ['home/workbook.sqlite', 'a folder', ['org', 'list'], 3, 'workbook.sqlite', 'unchanged'],
  ['home/workbook.sqlite', 'altered preferences', ['org', 'list'], 0, '', 'unchanged'],
  ['home/owner.sqlite', 'of others', ['devices'], 0, 'The data folder cannot be locked', 'unchanged'],
  ['home/owner.sqlite', 'another database', ['devices'], 0, '', 'unchanged'],
  ['home/owner.sqlite', 'a folder', ['devices'], 0, 'The data folder cannot be locked', 'unchanged'],
  ['home/run/secret', 'damaged', ['devices'], 0, '', 'anew'],
  ['home/run/secret', 'truncated', ['devices'], 0, '', 'anew'],
  ['home/run/secret', 'of others', ['devices'], 0, '', 'anew'],
  ['home/run/secret', 'a folder', ['devices'], 0, 'The data folder cannot be locked', 'unchanged'],
  ['home/run/owner.json', 'of others', ['devices'], 0, '', 'anew'],
  ['home/run/owner.json', 'a newer owner', ['devices'], 0, '', 'anew'],
  ['home/run/owner.sock', 'of others', ['devices'], 0, '', 'anew'],
  ['kit/manifest.json', 'damaged', verify, 3, '', 'unchanged'],
  ['kit/manifest.json', 'truncated', verify, 3, '', 'unchanged'],
  ['kit/manifest.json', 'a newer kit', verify, 2, 'A later version of Headroom', 'unchanged'],
  ['kit/manifest.sha256', 'truncated', verify, 3, '', 'unchanged'],
  ['kit/manifest.json', 'truncated', make, 3, 'FOLDER/kit', 'unchanged'],
  ['kit/manifest.json', 'a newer kit', make, 3, 'FOLDER/kit', 'unchanged'],
  ['FILE.part', 'of others', fetch, 0, '', 'anew'],
  ['FILE.part', 'a folder', fetch, 3, 'FILE.part', 'unchanged'],
  ['FILE', 'damaged', fetch, 3, 'already exists', 'unchanged'],
  ['FILE', 'truncated', ['firmware', 'verify', 'FOLDER/FILE'], 3, '', 'unchanged'],
  ['FILE', 'of others', ['firmware', 'verify', 'FOLDER/FILE'], 3, '', 'unchanged'],
  ['profile.json', 'truncated', addWith, 2, 'profile.json', 'unchanged'],
  ['profile.json', 'of others', addWith, 2, 'profile.json', 'unchanged'],
  ['profile.json', 'a newer profile', addWith, 2, 'later', 'unchanged'],
  ['profile.json', 'a folder', addWith, 2, 'profile.json', 'unchanged'],
  ['payload.json', 'truncated', check, 3, '', 'unchanged'],
  ['payload.json', 'of others', check, 3, '', 'unchanged'],
  ['payload.json', 'a folder', check, 2, 'payload.json', 'unchanged'],
  ['schema.json', 'truncated', check, 3, '', 'unchanged'],
]

const hashOf = (path: string): string => {
  if (!existsSync(path)) return 'missing'
  return statSync(path).isDirectory()
    ? 'a folder'
    : createHash('sha256').update(readFileSync(path)).digest('hex')
}

/** The built command line on a copy of one data folder for each damaged file. */
export async function damagedFiles(_seed: number, stop: AbortSignal): Promise<Result> {
  build()
  const startedAt = performance.now()
  const base = mkdtempSync(join(tmpdir(), 'headroom-damaged-'))
  const service = await startService('--devices', '300', '--rooms', '20')
  const homeAt = (folder: string) => ({ folder, remove: () => undefined })
  const failed: { readonly test: string; readonly detail: string }[] = []
  const notes: string[] = []
  let ran = 0
  try {
    const run = async (...words: readonly string[]): Promise<void> => {
      const inPlace = words.map((word) => word.replace('FOLDER', base))
      const { code, errors } = await headroom(homeAt(base), inPlace, { key: service.key })
      if (code !== 0) throw new Error(`${words.join(' ')} ended with ${String(code)}: ${errors}`)
    }
    await addOrganization(homeAt(base), service)
    await run('sync')
    mkdirSync(join(base, 'files'))
    await run(...fetch)
    await run(...make)
    writeFileSync(join(base, 'profile.json'), '{"family":"Jabra SDK V4","vendorId":2830}')
    writeFileSync(join(base, 'payload.json'), '[{"id":"1","eventTime":"2026-11-28T10:00:00Z","data":{}}]')
    writeFileSync(join(base, 'schema.json'), '{"type":"array","items":{"type":"object","required":["id"]}}')
    const firmware = globSync('files/*', { cwd: base })[0] ?? ''
    for (const [file, damage, words, code, says, then] of rows) {
      if (stop.aborted) break
      const copy = `${base}-copy`
      rmSync(copy, { recursive: true, force: true })
      cpSync(base, copy, { recursive: true, filter: (path) => !path.endsWith('.sock') })
      const named = file.replace('FILE', firmware)
      const path = join(copy, named)
      if (named.endsWith('.part')) rmSync(join(copy, firmware))
      damages[damage](path)
      const before = hashOf(path)
      const inPlace = words.map((word) => word.replace('FOLDER', copy).replace('FILE', firmware))
      const said = await headroom(homeAt(copy), inPlace, { key: service.key })
      // Without the progress of a longer command.
      const lines = said.errors.replaceAll(copy, 'FOLDER').replaceAll(firmware, 'FILE').split('\n')
      const errors = lines.filter((line) => !/^$| MB of | read$/.test(line)).join('\n')
      const names = globSync(`${named.replace(/\.sqlite$/, '')}.*-*.sqlite`, { cwd: copy })
      const isAside = names.some((name) => hashOf(join(copy, name)) === before)
      const found = hashOf(path) === before ? 'unchanged' : isAside ? 'aside' : 'anew'
      const printed = said.output.split('\n')[0]?.replaceAll(copy, 'FOLDER') ?? ''
      const row = `${file}, ${damage}: \`headroom ${words.slice(0, 2).join(' ')}\` ends with ${String(said.code)}, the file is ${found}: ${errors.split('\n')[0] || printed}`
      notes.push(row)
      ran++
      if (said.code !== code || found !== then || (says === '' ? errors !== '' : !errors.includes(says)))
        failed.push({
          test: `${file}, ${damage}`,
          detail: `Expected ${code}, ${then}, "${says}".\n${row}\n${errors}`,
        })
    }
    return {
      counts: [{ test: 'damaged files', of: 'cases', due: rows.length, ran }],
      failed,
      seconds: Math.round((performance.now() - startedAt) / 100) / 10,
      notes,
    }
  } finally {
    await service.end()
    for (const folder of [base, `${base}-copy`]) rmSync(folder, { recursive: true, force: true })
  }
}
