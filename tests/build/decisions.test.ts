import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

interface Decision {
  readonly page: string
  readonly date: string
  readonly decision: string
  readonly why: string
  readonly cost: string
  readonly rejected: string
  readonly status: string
}
const root = resolve(import.meta.dirname, '../..')
const { decisionsUnder, indexOf } = (await import(join(root, 'build/decisions.mjs'))) as {
  decisionsUnder(root: string): { readonly decisions: readonly Decision[]; readonly wrong: readonly string[] }
  indexOf(decisions: readonly Decision[]): string
}

test('build/decisions.md is the index of the decisions beside the code', () => {
  const { decisions, wrong } = decisionsUnder(root)
  expect(wrong).toEqual([])
  expect(readFileSync(join(root, 'build/decisions.md'), 'utf8')).toBe(indexOf(decisions))
})

test('every dated line of a README is in its section Decisions', () => {
  const { decisions } = decisionsUnder(root)
  const counted = new Map<string, number>()
  for (const { page } of decisions) counted.set(page, (counted.get(page) ?? 0) + 1)
  for (const [page, count] of counted)
    expect([page, readFileSync(join(root, page), 'utf8').match(/^- \d{4}-\d\d-\d\d: /gm)?.length]).toEqual([
      page,
      count,
    ])
})

test('a decision has its parts, and a line of another form or order is reported', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-decisions-'))
  for (const name of ['build', 'electron/core', 'renderer', 'tests'])
    mkdirSync(join(folder, name), { recursive: true })
  const lines = [
    '- 2026-11-22: Lists use our own grid. Why: it is faster. Cost: 2,300 lines. Rejected: another grid. Status: replaced on 2027-01-02.',
    '- 2026-11-21: An earlier one. Why: a reason. Cost: none known.',
    '- 2026-11-23: No cost. Why: a reason.',
    '- 2026-11-24: The second. Why: a reason. Cost: a line | two.',
  ]
  writeFileSync(
    join(folder, 'electron/core/README.md'),
    `# Core\n\n## Decisions\n${lines.join('\n')}\n\n## More\n- x\n`,
  )
  const { decisions, wrong } = decisionsUnder(folder)
  expect(wrong).toEqual([lines[1], lines[2]].map((line) => `electron/core/README.md: ${line}`))
  expect(decisions).toEqual([
    {
      page: 'electron/core/README.md',
      date: '2026-11-22',
      decision: 'Lists use our own grid.',
      why: 'it is faster.',
      cost: '2,300 lines.',
      rejected: 'another grid.',
      status: 'replaced on 2027-01-02.',
    },
    expect.objectContaining({ date: '2026-11-24', rejected: '', status: 'in force' }),
  ])
  expect(indexOf(decisions)).toContain('| 2026-11-24 | The second. | a line \\| two. |  | in force |')
})
