import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'

const program = `
  import { standardTerminal } from ${JSON.stringify(new URL('../../electron/cli/terminal.ts', import.meta.url).href)}
  const terminal = standardTerminal()
  process.stdin.once('end', () => {
    terminal.say('nobody reads this')
    terminal.progress('nor this')
    setImmediate(() => terminal.print('the work is done'))
  }).resume()
`

it('goes on when nobody reads its messages any more, as behind 2>&1 | head', async () => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program], { stdio: 'pipe' })
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  child.stderr.destroy()
  await once(child.stderr, 'close')
  child.stdin.end()
  const [code] = (await once(child, 'close')) as [number | null]
  expect([code, output]).toEqual([0, 'the work is done\n'])
})
