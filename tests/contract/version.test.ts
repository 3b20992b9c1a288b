import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { contractVersion } from '../../electron/adapters/owner/wire.ts'

/** The files of which arguments, results and events are made. */
function filesOf(path: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(path)) return found
  found.add(path)
  for (const [, imported = ''] of readFileSync(path, 'utf8').matchAll(/from '(\.[^']+)'/g))
    filesOf(join(dirname(path), imported), found)
  return found
}

/** Comments, layout, the order of files and who imports a name say nothing about what crosses. */
const withoutComments = (text: string): string =>
  text
    .replaceAll(/\/\*[^]*?\*\/|(?<!:)\/\/[^\n]*/g, '')
    .replaceAll(/\bexport /g, '')
    .replaceAll(/\s+/g, ' ')

// Owner and client of two versions refuse each other: raise `contractVersion` with every change of the contract.
test('the version of the contract is raised when its schemas, results or events change', () => {
  const files = [...filesOf('electron/contract/api.ts')].sort()
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0${withoutComments(readFileSync(file, 'utf8'))}\0`)
  expect({
    files: files.length > 30,
    version: contractVersion,
    hash: hash.digest('hex').slice(0, 16),
  }).toEqual({
    files: true,
    version: 18,
    hash: '710341a63cf6b406',
  })
})
