import { expect, it } from 'vitest'
import { effectScope } from 'vue'
import { useJobColumns } from '../../../renderer/jobs/job-columns.ts'
import { positionedColumns } from '../../../renderer/lists/grid-columns.ts'

it.each([
  // Measured in the gallery: the list beside an open job, and alone.
  [
    542,
    [
      ['kind', 310],
      ['state', 232],
    ],
  ],
  [
    1_062,
    [
      ['kind', 228],
      ['state', 232],
      ['progress', 150],
      ['durationInMs', 118],
      ['callsUsed', 102],
      ['createdAt', 142],
      ['who', 90],
    ],
  ],
] as const)('at 1280 px, jobs in %i px show a whole title and state', (width, widths) => {
  const scope = effectScope()
  const { columns } = scope.run(() => useJobColumns(() => false))!
  const placed = positionedColumns(columns.value, [], width)
  scope.stop()
  expect(placed.map((one) => [one.column.key, one.width])).toEqual(widths)
})
