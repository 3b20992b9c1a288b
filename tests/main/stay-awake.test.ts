import { expect, test } from 'vitest'
import { stayAwake } from '../../electron/main/stay-awake.ts'

test('the computer is kept awake from the first running job to the last, and released once', () => {
  const seen: unknown[] = []
  let running = 0
  const changed = stayAwake(
    {
      start: (type) => seen.push(type),
      stop: (id) => seen.push(`stop ${id}`) > 0,
    },
    () => running > 0,
  )
  for (running of [0, 1, 2, 1, 0, 0, 1, 0]) changed()
  expect(seen).toEqual(['prevent-app-suspension', 'stop 1', 'prevent-app-suspension', 'stop 3'])
})
