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

const services = readFileSync(join(core, '../contract/services.md'), 'utf8')
/** Operation, place in the window, commands: the rows of services.md with a place in the window. */
const usedRows = services
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter((cells) => ['✓', 'observed', 'not published'].includes(cells[4] ?? '') && cells[5] !== '')
  .map(([, name = '', , , , window = '', commands = '']) => ({ name, window, commands }))

describe.each([
  ['metadata', 33],
  ['management', 10],
] as const)('the operations of the %s interface', (of, count) => {
  const documented = operations.filter((one) => one.interface === of).slice(0, count)
  const rows = usedRows.filter(({ name }) =>
    operations.some((one) => one.interface === of && one.name === name),
  )

  test('are in the table, in the order of the specification', () => {
    expect(rows.map(({ name }) => name)).toEqual(documented.map(({ name }) => name))
  })

  test('are used by the core, not only by the Explorer', () => {
    const sources = read(core)
    // By name, or by the template that names its path.
    expect(documented.filter(({ name, template }) => !sources.includes(`'${template ?? name}'`))).toEqual([])
  })

  test('name existing commands', () => {
    const sources = read(cli)
    const commands = rows.flatMap((row) =>
      [...row.commands.matchAll(/`([a-z -]+?)(?: --[a-z-]+)?`/g)].map(([, name = '']) => name),
    )
    expect([
      rows.filter((row) => !row.commands.includes('`')),
      commands.filter((name) => !sources.includes(`'${name}'`)),
    ]).toEqual([[], []])
  })
})
