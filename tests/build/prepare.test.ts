import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const prepare = join(resolve(import.meta.dirname, '../..'), 'build/prepare.mjs')

/**
 * HEADROOM_KEY in child processes of a build script: one that inherits the environment, one started with
 * `environment()`, and the program itself.
 */
function seen(environment: Readonly<Record<string, string>>): readonly string[] {
  const tell = `[process.execPath, ['-p', 'String(process.env.HEADROOM_KEY)']`
  const script = `
    import { execFileSync } from 'node:child_process'
    import { environment, programEnvironment } from ${JSON.stringify(prepare)}
    const told = (env) => execFileSync(...${tell}, { encoding: 'utf8', ...env }]).trim()
    console.log(JSON.stringify([told({}), told({ env: environment() }), told({ env: programEnvironment({ A: '1' }) })]))`
  const { HEADROOM_KEY: _, ...rest } = process.env
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { ...rest, ...environment },
  })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as readonly string[]
}

test.each([
  ['with a key', { HEADROOM_KEY: 'the-key' }, ['undefined', 'undefined', 'the-key']],
  ['without one', {}, ['undefined', 'undefined', 'undefined']],
])('%s keeps the key from the processes that build scripts start', (_, environment, expected) => {
  expect(seen(environment)).toEqual(expected)
})
