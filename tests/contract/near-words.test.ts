import { expect, it } from 'vitest'
import { withMeant } from '../../electron/contract/near-words.ts'

const rooms = ['Ceres 2.20', 'Beacon Hill 2.23', 'Godsbanen 4.02 project room', 'Godsbanen 2.10']
const versions = ['2.9.2', '2.9.1', '2.8.2', '2.8.0']

it.each([
  ['Cers', rooms, 'Ceres 2.20'],
  ['cerse 2.20', rooms, 'Ceres 2.20'],
  ['beacon hil', rooms, 'Beacon Hill 2.23'],
  ['Godsbnen', rooms, 'Godsbanen 4.02 project room or Godsbanen 2.10'],
  ['2.9.9', versions, '2.9.2 or 2.9.1'],
  ['2.9.02', versions, '2.9.2'],
])('%s may mean one of %j: %s', (typed, names, meant) => {
  expect(withMeant('x', typed, names)).toBe(`x (did you mean ${meant}?)`)
})

it.each([
  ['nothing near', 'Mercury', rooms],
  ['the name itself', 'Ceres 2.20', ['Ceres 2.20']],
  ['three letters: anything would be near', 'Cer', ['Cers']],
  ['nothing typed', ' ', rooms],
  ['no names', 'Ceres', []],
])('%s: no name is offered', (_, typed, names) => {
  expect(withMeant('x', typed, names)).toBe('x')
})
