import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import { operations } from '../../../electron/contract/operations.ts'
import { observedTemplates } from '../../../electron/contract/template.ts'
import { callables } from '../../../electron/core/explorer/callable.ts'
import { typedCall } from '../../../electron/core/explorer/typed-call.ts'
import { answer } from '../../fake-transport.ts'
import { cases } from '../../setup/cases.ts'
import { explorerRig, keys } from './explorer-rig.ts'

const names = [
  ...new Set(operations.flatMap(({ parameters }) => parameters.map(({ name }) => name))),
  'body',
  '__proto__',
  'toString',
]
const typed = fc.dictionary(
  fc.constantFrom(...names),
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom('1', '2830', 'true', '{}', '..', ''),
  ),
  {
    maxKeys: 6,
  },
)

test('any input makes a call to the address of the operation, or is rejected as Failed', () => {
  const table = callables(observedTemplates)
  fc.assert(
    fc.property(fc.constantFrom(...table), typed, (operation, parameters) => {
      let path: string
      try {
        path = typedCall(operation, parameters).path
      } catch (error) {
        expect(error).toBeInstanceOf(Failed)
        return
      }
      const shape = new RegExp(
        `^${(operation.path ?? '').replace(/[.*+?^$()[\]\\|]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}(?:\\.json)?$`,
      )
      expect(new URL(`https://api.example${path}`).pathname).toMatch(shape)
    }),
    { numRuns: cases(500) },
  )
})

const ugly = fc.oneof(
  fc.json(),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    `${'['.repeat(3_000)}${']'.repeat(3_000)}`,
    '\ufeff[]',
    '{"a":1,"a":2}',
    '{"__proto__":null}',
    'null',
    '"text"',
    '{"version":"1.11.0"',
    '[{"version":null}]',
    keys[0]!,
  ),
)

test('any response is shown with its status and without a key, or reported as Failed', async () => {
  await fc.assert(
    fc.asyncProperty(
      ugly,
      fc.constantFrom(200, 204, 304, 400, 403, 404, 408, 418, 500, 503),
      fc.constantFrom('application/json', 'text/html', ''),
      async (body, status, type) => {
        const { explorer } = await explorerRig(() => answer(status, body, { 'content-type': type }))
        const run = await explorer.run({ operation: 'GetGnpSchemaVersions', parameters: {}, unlock: false })
        expect([run.status, run.body]).toEqual([status, body.replaceAll(keys[0]!, '[subscription key]')])
      },
    ),
    { numRuns: 150 },
  )
})

test('five megabytes are shortened for display, and undocumented members are found in all of it', async () => {
  const body = JSON.stringify(
    Array.from({ length: 60_000 }, (_, index) => ({ version: `1.${index}.0`, note: 'x'.repeat(60) })),
  )
  const { explorer } = await explorerRig(() => answer(200, body))
  const run = await explorer.run({ operation: 'GetGnpSchemaVersions', parameters: {}, unlock: false })
  expect({ large: body.length > 5_000_000, cut: run.cut, unknown: run.unknownMembers }).toEqual({
    large: true,
    cut: true,
    unknown: ['[].note'],
  })
})
