import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createCore } from '../../../electron/core/app.ts'
import { fakePlatform } from '../../fake-platform.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { rowsOf, schemaOf, seenIn } from './files-of-format.ts'

const formats = readdirSync(import.meta.dirname).filter((name) => /^format-\d+$/.test(name))
const seenOf = (format: string): { readonly at: number } =>
  JSON.parse(readFileSync(join(import.meta.dirname, format, 'seen.json'), 'utf8')) as { at: number }

function aCopy(format: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-format-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(join(import.meta.dirname, format), folder, { recursive: true })
  return folder
}

describe.each(formats)('files of %s', (format) => {
  it('show what they showed to the program that made them', async () => {
    const { at, ...seen } = seenOf(format)
    // Later programs may say more.
    expect(await seenIn(aCopy(format), at)).toMatchObject(seen)
  })

  it('keep every row with all its values when they are opened', async () => {
    const folder = aCopy(format)
    // A later program may have derived its own tables from them.
    const { derived_stamp: _, ...before } = rowsOf(folder)
    await seenIn(folder, seenOf(format).at)
    expect(rowsOf(folder)).toMatchObject(before)
  })

  it('have rows in every table, but those of work that is interrupted', () => {
    const empty = Object.entries(rowsOf(aCopy(format))).filter(([, rows]) => rows.length === 0)
    expect(empty.map(([table]) => table)).toEqual([
      'sync_stream',
      'keychain_leftover',
      'journal_seen',
      'call_wait',
      'removed_organization',
    ])
  })
})

it('a new folder has the schema of the newest of these formats', async () => {
  const home = new TemporaryHome()
  onTestFinished(() => home.remove())
  await (await createCore(fakePlatform(home))).close()
  const newest = formats.toSorted((a, b) => Number(a.slice(7)) - Number(b.slice(7))).at(-1)!
  expect(schemaOf(home.folder)).toEqual(schemaOf(join(import.meta.dirname, newest)))
})
