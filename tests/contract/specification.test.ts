import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Failed } from '../../electron/contract/failure.ts'
import { operations, pathOf, type Operation } from '../../electron/contract/operations.ts'
import { cases } from '../setup/cases.ts'
import { managementRows, metadataRows } from './specification-rows.ts'

const table: readonly Operation[] = operations
/** The specification has types in addition to the identifiers in paths, and remarks in parentheses. */
const plain = (text: string): string => text.replace(/ \(.*\)$/, '')
const types: Readonly<Record<string, string>> = {
  vendorId: 'int32',
  productId: 'int32',
  dfuProductId: 'int32',
  apiVersion: 'int32',
}

describe('the table of operations matches the specification', () => {
  test('for the 33 of the metadata interface, row by row in its order', () => {
    const rows = table
      .filter((one) => one.interface === 'metadata' && one.answer !== null)
      .map(({ name, path, method, answer }) => [
        name,
        method,
        path?.replace('/models/v/{apiVersion}', ''),
        answer,
      ])
    expect(rows).toEqual(
      metadataRows.map(([name, path, response]) => [plain(name), 'GET', plain(path), response]),
    )
    expect(rows).toHaveLength(33)
  })

  test('for every parameter in a path: its name, its type, always required', () => {
    for (const [name, path] of metadataRows) {
      const wanted = [...plain(`/{apiVersion}${path}`).matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => {
        const guid = parameter === 'entityId' && path.includes('is a guid')
        return {
          name: parameter,
          in: 'path',
          type: guid ? 'guid' : (types[parameter] ?? 'string'),
          required: true,
        }
      })
      expect([name, table.find((one) => one.name === plain(name))?.parameters]).toEqual([name, wanted])
    }
  })

  test('for the management interface: method and path of every published row', () => {
    const published = managementRows
      .filter(([, methodAndPath]) => /^(GET|POST) \//.test(methodAndPath))
      .map(([, methodAndPath]) => methodAndPath)
    const ours = table
      .filter((one) => one.interface === 'management' && one.published)
      .map(({ method, path }) => `${method} ${path ?? ''}`)
    expect(ours).toEqual(published)
  })
})

describe('a path', () => {
  const awkward = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 })
  const metadata = table.filter((one) => one.interface === 'metadata')

  test('of any operation and any values survives a URL parser unchanged, or is rejected as invalid', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...metadata),
        fc.infiniteStream(awkward),
        fc.nat(),
        (operation, texts, number) => {
          const parameters = Object.fromEntries(
            operation.parameters.map(({ name, type }) => [
              name,
              type === 'int32'
                ? number
                : type === 'guid'
                  ? 'f525e3b0-65d4-440f-a169-224779177d1a'
                  : (texts.next().value as string),
            ]),
          )
          let path: string
          try {
            path = pathOf(operation, parameters)
          } catch (error) {
            expect(error).toBeInstanceOf(Failed)
            expect((error as Failed).failure.kind).toBe('invalid')
            return
          }
          const { pathname, search, hash } = new URL(`https://cdn.example${path}`)
          const wanted = (operation.path ?? '').split('/').map((segment) => {
            const name = /^\{(\w+)\}$/.exec(segment)?.[1]
            return name === undefined ? segment : String(parameters[name])
          })
          expect([
            pathname
              .replace(/\.json$/, '')
              .split('/')
              .map(decodeURIComponent),
            search,
            hash,
          ]).toEqual([wanted, '', ''])
        },
      ),
      { numRuns: cases(300) },
    )
  })
})
