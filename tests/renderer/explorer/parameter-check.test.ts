import { describe, expect, it } from 'vitest'
import type { ExplorerOperation, ExplorerParameter } from '../../../electron/contract/api/explorer.ts'
import { operations, pathOf } from '../../../electron/contract/operations.ts'
import {
  parametersToSend,
  pathPieces,
  problemOf,
  problemsOf,
  valuesFor,
} from '../../../renderer/explorer/parameter-check.ts'

const parameter = (given: Partial<ExplorerParameter>): ExplorerParameter => ({
  name: 'p',
  in: 'path',
  type: 'string',
  required: true,
  offered: [],
  ...given,
})
const operation = (...parameters: readonly ExplorerParameter[]): ExplorerOperation => ({
  name: 'GetRoom',
  interface: 'management',
  method: 'GET',
  path: '/meetingrooms/{groupId}',
  parameters,
  writes: false,
  published: true,
  answer: null,
})

describe('Parameters of a call', () => {
  it.each<[Partial<ExplorerParameter>, string | undefined, string | null]>([
    [{}, undefined, 'missing'],
    [{}, '   ', 'missing'],
    [{ required: false }, '', null],
    [{ type: 'int32' }, '2830', null],
    [{ type: 'int32' }, '-1', null],
    [{ type: 'int32' }, '2147483647', null],
    [{ type: 'int32' }, '2147483648', 'int32'],
    [{ type: 'int32' }, '-2147483649', 'int32'],
    [{ type: 'int32' }, '0x24B3', 'int32'],
    [{ type: 'int32' }, '1.5', 'int32'],
    [{ type: 'int32' }, '1e3', 'int32'],
    [{ type: 'guid' }, '0f3c1b2a-7a11-4c1e-9d1b-2f6f0d9c1a44', null],
    [{ type: 'guid' }, '0f3c1b2a', 'guid'],
    [{ type: 'boolean' }, 'true', null],
    [{ type: 'boolean' }, 'yes', 'boolean'],
    [{ type: 'json' }, '[{"isOn":true}]', null],
    [{ type: 'json' }, '{isOn:true}', 'json'],
  ])('%j with "%s" is %s', (given, typed, problem) => {
    expect(problemOf(parameter(given), typed)).toBe(problem)
  })

  it('lists the problems of a call by parameter', () => {
    expect(
      problemsOf(
        operation(
          parameter({ name: 'groupId' }),
          parameter({ name: 'size', type: 'int32', required: false }),
        ),
        { size: 'many' },
      ),
    ).toEqual({
      groupId: 'missing',
      size: 'int32',
    })
  })

  it('sends only its own parameters, and of the optional ones those with a value', () => {
    const own = operation(parameter({ name: 'groupId' }), parameter({ name: 'size', required: false }))
    expect(parametersToSend(own, { groupId: ' g-1 ', size: '', productId: '9395' })).toEqual({
      groupId: 'g-1',
    })
  })

  it('fills in a required value when exactly one is known, and never over typed text', () => {
    const known = (value: string) => ({ value, source: 'known' }) as const
    const own = operation(
      parameter({ name: 'apiVersion', offered: [known('18')] }),
      parameter({ name: 'buildType', offered: [{ value: 'Release', source: 'assumed' }] }),
      parameter({ name: 'productId', offered: [known('1'), known('2')] }),
      parameter({ name: 'vendorId', offered: [known('2830')] }),
    )
    expect(valuesFor(own, { vendorId: '7' })).toEqual({ apiVersion: '18', vendorId: '7' })
    const several = {
      ...own,
      parameters: own.parameters.map((one) =>
        one.name === 'vendorId' ? { ...one, required: true, offered: [known('2830'), known('1118')] } : one,
      ),
    }
    expect(valuesFor(several, {})).toMatchObject({ vendorId: '2830' })
  })

  it('shows the path as it will be requested', () => {
    expect(pathPieces('/rooms/{groupId}/of/{other}', { groupId: 'a b/c' })).toEqual([
      { kind: 'literal', text: '/rooms/' },
      { kind: 'filled', text: 'a%20b%2Fc' },
      { kind: 'literal', text: '/of/' },
      { kind: 'open', text: '{other}' },
    ])
  })

  it('shows every operation with a path exactly as the core will request it', () => {
    const visible = operations.flatMap((one) => {
      if (one.path === null) return []
      const values = Object.fromEntries(
        one.parameters
          .filter((p) => p.in === 'path')
          .map((p) => [
            p.name,
            p.type === 'int32' ? '18' : p.type === 'guid' ? '0f3c1b2a-7a11-4c1e-9d1b-2f6f0d9c1a44' : 'Å b',
          ]),
      )
      const text = pathPieces(one.path, values)
        .map((piece) => piece.text)
        .join('')
      return [[`${text}${one.interface === 'metadata' ? '.json' : ''}`, pathOf(one, values)]]
    })
    expect(visible.length).toBeGreaterThan(35)
    expect(visible.filter(([here, core]) => here !== core)).toEqual([])
  })
})
