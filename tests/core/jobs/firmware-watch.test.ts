import { expect, test } from 'vitest'
import { watchFirmware } from '../../../electron/core/jobs/firmware-watch.ts'
import { FakeClock } from '../../fake-clock.ts'

const minute = 60_000

test('a device that stops updating in between, and then reports the version, is verified', async () => {
  const clock = new FakeClock()
  const looks = [
    { updating: true, version: '1.0.0' },
    { updating: false, version: '1.0.0' },
    { updating: true, version: '1.0.0' },
    { updating: false, version: '1.0.0' },
    { updating: true, version: '1.0.0' },
    { updating: false, version: '2.0.0' },
  ]
  const watched = watchFirmware({
    clock,
    version: '2.0.0',
    look: async () => ({ ...looks.shift()!, raw: null }),
    signal: new AbortController().signal,
    sentAt: clock.now(),
    forInMs: 30 * minute,
    fromTheStart: true,
  })
  await clock.advance(30 * minute)
  expect(await watched).toEqual({ kind: 'verified' })
})
