import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { parseArguments, WrongUsage } from '../../electron/demo/options.ts'

const entry = fileURLToPath(new URL('../../electron/demo/demo-main.ts', import.meta.url))
let children: ChildProcessWithoutNullStreams[] = []
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children = []
})

const run = (...words: string[]): ChildProcessWithoutNullStreams => {
  const child = spawn(process.execPath, [entry, ...words])
  children.push(child)
  return child
}

const firstLine = async (child: ChildProcessWithoutNullStreams): Promise<string> => {
  let text = ''
  for await (const chunk of child.stdout) {
    text += String(chunk)
    if (text.includes('\n')) break
  }
  return text.split('\n')[0] ?? ''
}

const ended = async (child: ChildProcessWithoutNullStreams): Promise<{ code: unknown; errors: string }> => {
  let errors = ''
  child.stderr.on('data', (chunk) => (errors += String(chunk)))
  const [code] = (await once(child, 'close')) as [unknown]
  return { code, errors }
}

describe('the demonstration as a process', () => {
  test('prints one line of JSON, serves, and ends on request', async () => {
    const child = run('--json', '--devices', '30', '--rooms=4', '--key', 'k1')
    const reported = JSON.parse(await firstLine(child)) as { managementUrl: string; metadataUrl: string }
    const base = /^http:\/\/127\.0\.0\.1:\d+/.exec(reported.managementUrl)?.[0] ?? ''
    const answer = await fetch(`${reported.metadataUrl}/models/v/18/telemetry.json`)
    await answer.arrayBuffer()
    const end = ended(child)
    child.kill('SIGTERM')
    expect(reported).toEqual({
      managementUrl: `${base}/management`,
      metadataUrl: `${base}/metadata`,
      key: 'k1',
      devices: 30,
      rooms: 4,
    })
    expect([answer.status, (await end).code]).toEqual([200, 0])
  })

  test('ends when the program that started it is gone', async () => {
    const child = run('--json', '--with-parent')
    await firstLine(child)
    const end = ended(child)
    child.stdin.end()
    expect((await end).code).toBe(0)
  })

  test('explains what is wrong with its arguments', async () => {
    const { code, errors } = await ended(run('--devices', 'many'))
    expect([code, errors.split('\n')[0]]).toEqual([2, '--devices must be a whole number up to 1000000'])
  })

  test('reports a used port', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { code, errors } = await ended(run('--port', String((server.address() as AddressInfo).port)))
    server.close()
    expect([code, errors]).toEqual([
      3,
      'The demonstration organization could not start: the port is in use by another program\n',
    ])
  })
})

describe('its arguments', () => {
  test('are parsed', () => {
    const words =
      '--devices 100000 --rooms=600 --port 8080 --latency 20 --limits 20/1,300/30 --seed 7 --fault slow --fault html=0.1 --key abc --secondary-key def --json --parent-pipe'
    expect(parseArguments(words.split(' '))).toEqual({
      options: {
        devices: 100_000,
        rooms: 600,
        port: 8080,
        latencyMs: 20,
        limits: { perSecond: 20, perWindow: 300, windowSeconds: 30 },
        seed: 7,
        key: 'abc',
        secondaryKey: 'def',
        faults: [
          { name: 'slow', rate: 1, times: null, operation: null },
          { name: 'html', rate: 0.1, times: null, operation: null },
        ],
      },
      json: true,
      withParent: true,
    })
  })

  test.each([
    '--devices',
    '--devices -1',
    '--port 70000',
    '--limits 10',
    '--limits 0/1,1/1',
    '--fault gremlins',
    '--fault html=7',
    '--colour red',
    'stray',
    '--key --json',
  ])('%s is rejected', (words) => {
    expect(() => parseArguments(words.split(' '))).toThrow(WrongUsage)
  })
})
