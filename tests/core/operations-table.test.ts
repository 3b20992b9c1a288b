import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { operations } from '../../electron/contract/operations.ts'

const core = join(import.meta.dirname, '../../electron/core')
const cli = join(import.meta.dirname, '../../electron/cli/commands')
const read = (folder: string): string =>
  globSync('**/*.ts', { cwd: folder })
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')

/** Number, operation, place in the window, commands. */
const rowsOf = (of: string): string[][] =>
  readFileSync(join(core, of, 'README.md'), 'utf8')
    .split('\n')
    .filter((line) => /^\| \d+ \|/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))

describe.each([
  ['metadata', 33],
  ['management', 10],
] as const)('the operations of the %s interface', (of, count) => {
  const rows = rowsOf(of)
  const documented = operations.filter((one) => one.interface === of).slice(0, count)

  test('are in the table, in the order of the specification', () => {
    expect(rows.map(([, number, name]) => [Number(number), name])).toEqual(
      documented.map(({ name }, index) => [index + 1, name]),
    )
  })

  test('are used by the core, not only by the Explorer', () => {
    const sources = read(core)
    // By name, or by the template that names its path.
    expect(documented.filter(({ name, template }) => !sources.includes(`'${template ?? name}'`))).toEqual([])
  })

  test('name existing commands', () => {
    const sources = read(cli)
    const commands = rows.flatMap(([, , , , cell = '']) =>
      [...cell.matchAll(/`([a-z -]+?)(?: --[a-z-]+)?`/g)].map(([, name = '']) => name),
    )
    expect([
      rows.filter(([, , , , cell]) => !cell?.includes('`')),
      commands.filter((name) => !sources.includes(`'${name}'`)),
    ]).toEqual([[], []])
  })
})
