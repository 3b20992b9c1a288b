import { expect, test } from 'vitest'
import { addedByVariant } from '../../../renderer/firmware/variant-name.ts'

test.each([
  ['Jabra PanaCast 50', 'Jabra PanaCast 50 (Teams)', 'Teams'],
  ['Jabra BIZ 2400 II', 'Jabra BIZ 2400 II MS Mono', 'MS Mono'],
  ['Jabra BIZ 2400 II', 'Jabra BIZ 2400 II MS (Teams)', 'MS (Teams)'],
  ['Jabra Link 380a', 'Link 380a', 'Link 380a'],
  ['Jabra Link 380a', 'Jabra Link 380a', ''],
  ['Jabra Link 380a', null, ''],
])('for %s the variant %s adds "%s"', (product, variant, added) => {
  expect(addedByVariant(product, variant)).toBe(added)
})
