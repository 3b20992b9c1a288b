import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeAll, afterAll, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>
}
/** Of a clone: without packages, and npm fetches nothing. */
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'headroom-bare-'))
  for (const name of ['build', 'package.json', 'package-lock.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  for (const name of ['electron', 'tests']) symlinkSync(join(root, name), join(folder, name), 'dir')
  mkdirSync(join(folder, 'programs'))
  writeFileSync(join(folder, 'programs/npm'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  writeFileSync(join(folder, 'npm.js'), 'process.exit(1)')
})
afterAll(() => rmSync(folder, { recursive: true }))

function ended(...words: readonly string[]): { status: number | null; stdout: string; said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: `${join(folder, 'programs')}:${process.env['PATH']}`, npm_execpath: join(folder, 'npm.js') },
  })
  return { status, stdout, said: stderr.trimEnd().split('\n').at(-1) ?? '' }
}

/** It reads and writes files of the clone alone. */
const needsNothing = 'build/decisions.mjs'
const commands = [...new Set(Object.values(scripts).map((script) => script.split(' ')[1]!))]
test.runIf(process.platform !== 'win32').each(commands.filter((file) => file !== needsNothing))(
  '%s says that packages could not be installed, and ends with 3',
  (file) => {
    expect(ended(file)).toEqual({
      status: 3,
      stdout: '',
      said: 'headroom: packages could not be installed; see the lines above. A network or a filled npm cache is needed once.',
    })
  },
)

const asked = (system: string): string =>
  `import('./build/node-runtimes.mjs').then(async ({ nodeFor }) => console.log(await nodeFor('${system}')))`
test.runIf(process.platform !== 'win32')('the runtime of a system that cannot be fetched is none', () => {
  expect(ended('-e', asked('linux-arm64'))).toMatchObject({ status: 0, stdout: 'null\n' })
})

const runtime = join(root, 'node_modules', `node-linux-${process.arch}`)
test.runIf(existsSync(runtime))("the licence beside Node's runtime is that of its version", () => {
  expect(readFileSync(join(root, 'build/licences/node.txt'), 'utf8')).toBe(
    readFileSync(join(runtime, 'LICENSE'), 'utf8'),
  )
})
