import { expect, test } from 'vitest'
import { renameFile } from '../../electron/adapters/rename-file.ts'

test.each([
  ['win32', 'EPERM', 10, 'renamed', 1_000],
  ['win32', 'EBUSY', 1, 'renamed', 100],
  ['win32', 'EACCES', 11, 'EACCES', 1_000],
  ['win32', 'ENOSPC', 1, 'ENOSPC', 0],
  ['linux', 'EACCES', 1, 'EACCES', 0],
  ['linux', 'EACCES', 0, 'renamed', 0],
] as const)(
  'on %s a file that fails with %s %i times ends as %s after %i ms',
  async (platform, code, times, end, after) => {
    let left: number = times
    let waited = 0
    const ended = renameFile('a.part', 'a', {
      platform,
      rename: async () => {
        if (left-- > 0) throw Object.assign(new Error('held'), { code })
      },
      wait: async (inMs) => void (waited += inMs),
    }).then(
      () => 'renamed',
      (error: NodeJS.ErrnoException) => error.code,
    )
    expect([await ended, waited]).toEqual([end, after])
  },
)
