import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'

const launchers = resolve(import.meta.dirname, '../../build/launchers')
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headroom-launchers-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
})

/** The limit of a core dump in a program that the launcher starts, where the system allows any. */
const limitUnder = (launcher: string): string =>
  execFileSync('sh', ['-c', 'ulimit -S -c "$(ulimit -H -c)"; exec sh "$0"', launcher], { encoding: 'utf8' })

test.skipIf(process.platform === 'win32')('the window that its launcher starts leaves no core dump', () => {
  copyFileSync(join(launchers, 'headroom-window.sh'), join(folder, 'headroom-window'))
  writeFileSync(join(folder, 'headroom-window.bin'), '#!/bin/sh\nulimit -S -c\n', { mode: 0o755 })
  expect(limitUnder(join(folder, 'headroom-window'))).toBe('0\n')
})

test.skipIf(process.platform === 'win32')('nor does the command line', () => {
  for (const part of ['bin', 'runtime', 'program/out/main'])
    mkdirSync(join(folder, part), { recursive: true })
  copyFileSync(join(launchers, 'headroom.sh'), join(folder, 'bin/headroom'))
  symlinkSync(process.execPath, join(folder, 'runtime/node'))
  writeFileSync(
    join(folder, 'program/out/main/cli.js'),
    "require('node:child_process').spawnSync('sh', ['-c', 'ulimit -S -c'], { stdio: 'inherit' })\n",
  )
  expect(limitUnder(join(folder, 'bin/headroom'))).toBe('0\n')
})
