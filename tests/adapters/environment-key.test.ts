import { expect, test } from 'vitest'
import { takeKey, withoutKey } from '../../electron/adapters/environment-key.ts'

test.each([
  ['a key', { PATH: '/bin', HEADROOM_KEY: 'the-key' }, 'the-key'],
  ['a key with a line end, as a file has it', { PATH: '/bin', HEADROOM_KEY: ' the-key\r\n' }, 'the-key'],
  ['an empty one', { PATH: '/bin', HEADROOM_KEY: '' }, null],
  ['a blank one', { PATH: '/bin', HEADROOM_KEY: ' \n' }, null],
  ['none', { PATH: '/bin' }, null],
])('removes %s from the environment once', (_, environment: Record<string, string | undefined>, key) => {
  expect([takeKey(environment), environment, takeKey(environment)]).toEqual([key, { PATH: '/bin' }, null])
})

test('gives a child process everything but the key, in whichever case the system writes the name', () => {
  expect(
    withoutKey({
      PATH: '/bin',
      HEADROOM_KEY: 'a',
      Headroom_Key: 'b',
      HEADROOM_HOME: '/home/x',
      HEADROOM_KEYRING: 'c',
      gone: undefined,
    }),
  ).toEqual({
    PATH: '/bin',
    HEADROOM_HOME: '/home/x',
    HEADROOM_KEYRING: 'c',
  })
})
