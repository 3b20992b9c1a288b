import { expect, it } from 'vitest'
import type { DefinitionItem, FeatureSetting } from '../../../electron/contract/api/definitions.ts'
import { featureValues, propertyValues } from '../../../renderer/definitions/definition-columns.ts'
import { itemValues } from '../../../renderer/definitions/item-columns.ts'

const values = ['fullScreen', 'pictureInPicture', 'a', 'b', 'c', 'd', 'e']
const item = {
  name: 'layout',
  type: 'String',
  allowed: values,
  supported: values,
  default: 'fullScreen',
  understood: true,
  members: {},
}
const labelOf = (name: string): string => name

it('exported definitions have all values as the service spells them', () => {
  const ofItem = item as unknown as DefinitionItem
  const ofProperty = propertyValues(labelOf)
  expect([
    [itemValues.type(ofItem), itemValues.allowed(ofItem), itemValues.default(ofItem)],
    [ofProperty.type(item as never), ofProperty.allowed(item as never)],
    featureValues(labelOf).supported(item as unknown as FeatureSetting),
  ]).toEqual([['String', values.join(', '), 'fullScreen'], ['String', values.join(', ')], values.join(', ')])
})
