import { describe, expect, it } from 'vitest'
import { changedSettings } from '../../electron/contract/journal.ts'

describe('the subject of a change of settings', () => {
  it.each<[string | null, string | null, unknown]>([
    [
      'a=1; b=on',
      'a=2; b=off',
      [
        { name: 'a', before: '1', after: '2' },
        { name: 'b', before: 'on', after: 'off' },
      ],
    ],
    ['a=x=y', 'a=', [{ name: 'a', before: 'x=y', after: '' }]],
    ['2 online', null, null],
    ['a=1', 'b=1', null],
    ['a=1', 'a=1; b=2', null],
    [null, null, null],
  ])('%s → %s', (before, after, values) => expect(changedSettings({ before, after })).toEqual(values))
})
