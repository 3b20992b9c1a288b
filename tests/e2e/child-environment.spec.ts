import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from '@playwright/test'
import { expectCount, newHome, startProgram, type Home } from './program.ts'

const script = resolve(import.meta.dirname, '../../out/main/cli.js')
/** A variable that exists in no other environment on this machine, even during another run of this test. */
const key = randomBytes(16).toString('hex')
const demonstration = '--devices 50 --rooms 5'

let home: Home
const started: ChildProcess[] = []

test.skip(process.platform !== 'linux', 'environments of other programs are read from /proc')
test.beforeEach(() => {
  home = newHome()
})
test.afterEach(async () => {
  for (const child of started.splice(0)) await end(child)
  home.remove()
})

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** The command line, with the key in its environment. */
function prompt(words: readonly string[], options: string): ChildProcess {
  const env = {
    ...process.env,
    HEADROOM_HOME: join(home.folder, 'home'),
    HEADROOM_KEY: key,
    HEADROOM_DEMONSTRATION: options,
  }
  const child = spawn(process.execPath, [script, ...words], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  started.push(child)
  // Read to its end, so that the pipe never fills.
  child.stdout.resume()
  return child
}

interface Running {
  readonly id: number
  readonly parent: number
  readonly words: string
  readonly hasKey: boolean
}

/** Every readable process of this machine; one that ends meanwhile is left out. */
const running = (): readonly Running[] =>
  readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const of = (file: string): string => readFileSync(join('/proc', name, file), 'latin1')
      return [
        {
          id: Number(name),
          // After the name, which may contain spaces, and the state.
          parent: Number(
            of('stat')
              .replace(/^.*\) . /s, '')
              .split(' ', 1)[0],
          ),
          words: of('cmdline').replaceAll('\0', ' '),
          hasKey: of('environ').includes(key),
        },
      ]
    } catch {
      return []
    }
  })

/** The other processes with the key, and whether the program runs processes with these arguments at all. */
function inspected(givenTo: number | undefined, ...expected: readonly RegExp[]) {
  const all = running()
  const isOfProgram = (one: Running | undefined): boolean =>
    one !== undefined && (one.parent === givenTo || isOfProgram(all.find(({ id }) => id === one.parent)))
  const ofProgram = all.filter(isOfProgram)
  return {
    withKey: all.filter(({ id, hasKey }) => hasKey && id !== givenTo).map(({ words }) => words),
    running: expected.map((pattern) => ofProgram.some(({ words }) => pattern.test(words))),
  }
}

test('the window: neither the browser, its helpers nor the demonstration has HEADROOM_KEY', async () => {
  const program = await startProgram(home, { HEADROOM_KEY: key, HEADROOM_DEMONSTRATION: demonstration })
  await program.page.getByRole('button', { name: 'Open the demonstration' }).click()
  await expectCount(program.page, 'devices', 50)
  const given = program.app.process().pid
  expect(running().find(({ id }) => id === given)?.hasKey).toBe(true)
  const helpers = [/--type=zygote/, /--type=renderer/, /demo\.js.*--devices 50 --rooms 5/]
  expect(inspected(given, ...helpers)).toEqual({
    withKey: [],
    running: [true, true, true],
  })
  await program.close()
})

test('the command line: the demonstration that it starts or serves does not have HEADROOM_KEY', async () => {
  const served = prompt(['demo', '--json', ...demonstration.split(' ')], '')
  await once(createInterface({ input: served.stdout! }), 'line')
  expect(inspected(served.pid, /demo\.js.*--devices 50 --rooms 5/)).toEqual({ withKey: [], running: [true] })
  await end(served)

  const [added] = (await once(
    prompt(['org', 'add', 'Try', '--preset', 'demonstration'], demonstration),
    'exit',
  )) as [number]
  // The service responds slowly enough for an inspection of the processes.
  const asking = prompt(['sync', '--json'], `${demonstration} --latency 200`)
  await expect
    .poll(() => inspected(asking.pid, /demo\.js.*--with-parent.*--latency 200/).running)
    .toEqual([true])
  expect(inspected(asking.pid).withKey).toEqual([])
  const [code] = (await once(asking, 'exit')) as [number]
  expect([added, code]).toEqual([0, 0])
})
