import { expect, test } from 'vitest'
import type { Ran, RunProgram } from '../../../electron/adapters/policy/system-program.ts'
import { systemFolder, windowsPolicy } from '../../../electron/adapters/policy/windows-policy.ts'

const system = String.raw`C:\Windows\System32`
const registry = String.raw`HKLM\Software\Policies\Headroom\Policy`
const file = String.raw`C:\ProgramData\Headroom\policy.json`

/** Windows, as far as its programs answer. null: the program cannot be started. */
function programs(answers: Readonly<Record<string, string | number | null>>): {
  readonly run: RunProgram
  readonly asked: string[]
} {
  const asked: string[] = []
  return {
    asked,
    run: async (path, words): Promise<Ran | null> => {
      asked.push([path, ...words].join(' '))
      const name = Object.keys(answers).find((one) => [path, ...words].join(' ').includes(one))
      const answer = name === undefined ? 1 : answers[name]!
      if (answer === null) return null
      return typeof answer === 'number'
        ? { code: answer, output: Buffer.of() }
        : { code: 0, output: Buffer.from(answer, 'latin1') }
    },
  }
}
const value = (type: string, text: string): string =>
  `\r\nHKEY_LOCAL_MACHINE\\Software\\Policies\\Headroom\r\n    Policy    ${type}    ${text}\r\n\r\n`

test.each<[string, string, string]>([
  ['REG_SZ', '{"policy": 1}', '{"policy": 1}'],
  [
    'REG_MULTI_SZ',
    String.raw`{\0  "policy": 1,\0  "lookOnly": true\0}`,
    '{\n  "policy": 1,\n  "lookOnly": true\n}',
  ],
])('a value of the type %s is the document, with its lines', async (type, printed, text) => {
  const { run, asked } = programs({ 'Policies\\Headroom': value(type, printed) })
  expect([await windowsPolicy(run, system).read(), asked]).toEqual([
    { kind: 'found', file: registry, bytes: Buffer.from(text) },
    [String.raw`C:\Windows\System32\reg.exe query HKLM\Software\Policies\Headroom /v Policy /reg:64`],
  ])
})

test.each<[string, string | number | null, string]>([
  ['a number', value('REG_DWORD', '0x1'), 'it is of the type REG_DWORD'],
  [
    'characters that the console changes',
    value('REG_SZ', '{"name": "K\xf6ln"}'),
    'it has characters beyond ASCII, which must be written as \\uXXXX',
  ],
  ['a registry that cannot be read', null, 'the registry cannot be read'],
])('%s in the registry cannot be trusted', async (_, answer, why) => {
  const { run } = programs({ 'Policies\\Headroom': answer })
  expect(await windowsPolicy(run, system).read()).toEqual({
    kind: 'refused',
    file: registry,
    problem: `${registry} cannot be trusted: ${why}.`,
  })
})

test('without a system folder nothing is started', async () => {
  const { run, asked } = programs({})
  expect([await windowsPolicy(run, null).read(), asked]).toEqual([
    {
      kind: 'refused',
      file: registry,
      problem: `${registry} cannot be trusted: the system folder is not known.`,
    },
    [],
  ])
})

test('without a value the file in ProgramData counts, which is none where it is missing', async () => {
  const { run } = programs({
    ProfileList: '\r\n    ProgramData    REG_EXPAND_SZ    %SystemDrive%\\ProgramData\r\n',
  })
  expect(await windowsPolicy(run, system).read()).toEqual({ kind: 'none', file })
})

test.each<[readonly string[], string | null]>([
  [
    [String.raw`C:\Program Files\Headroom\node.exe`, String.raw`D:\WINDOWS\SYSTEM32\ntdll.dll`],
    String.raw`D:\WINDOWS\SYSTEM32`,
  ],
  [[String.raw`C:\Users\me\System32\evil.dll`], null],
  [[], null],
])('the system folder of %j is %j', (loaded, folder) => {
  expect(systemFolder(loaded)).toBe(folder)
})
