import { expect, test } from 'vitest'
import { taskText } from '../../electron/cli/task-text.ts'

const fiveMinutes = { used: 120, limit: 9_500 }

test.each([
  [null, { of: 'plan', step: null, done: 0, total: null }, 0],
  [null, { of: 'sync', step: 'reading', done: 0, total: 300 }, 0],
  ['Planning: 120 of 4000 read (3%)', { of: 'plan', step: 'reading', done: 120, total: 4_000 }, 0],
  [
    'Planning: 1 of 2 read (50%); 1 call waits; 120 of 9500 were made in the last five minutes',
    { of: 'plan', step: 'reading', done: 1, total: 2 },
    1,
  ],
  ['Syncing: 300 read', { of: 'sync', step: 'reading', done: 300, total: null }, 0],
  [
    'Removing an organization: 250 of 1000 records removed (25%)',
    { of: 'removal', step: 'removing', done: 250, total: 1_000 },
    0,
  ],
  ['Syncing: 301 read', { of: 'sync', step: 'reading', done: 301, total: 300 }, 0],
] as const)('%s', (words, task, waiting) => {
  expect(taskText({ id: 't1', ...task }, [{ waiting, fiveMinutes }])).toBe(words)
})
