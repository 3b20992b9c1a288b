import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFolder } from '../../electron/adapters/make-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headroom-make-folder-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('makes a folder and those above it, and accepts one that exists', () => {
  const deep = join(folder, 'a/b/c')
  makeFolder(deep)
  makeFolder(deep)
  expect(statSync(deep).isDirectory()).toBe(true)
})

test('a file in its place, or above it, is an error', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  expect(() => makeFolder(file)).toThrow('EEXIST')
  expect(() => makeFolder(join(file, 'below'))).toThrow('ENOTDIR')
})

// Only Linux has /proc: elsewhere the root cannot be written.
test.each(['/proc/x', '/proc/x/y'])('%s ends with an error', (path) => {
  expect(() => makeFolder(path)).toThrow()
})
