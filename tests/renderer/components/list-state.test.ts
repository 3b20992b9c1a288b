import { describe, expect, it } from 'vitest'
import { listState, type ListFacts, type ListState } from '../../../renderer/components/list-state.ts'

const quiet: ListFacts = {
  total: 0,
  all: 0,
  filtered: false,
  syncing: false,
  completeAt: null,
  hasKey: true,
  stopped: false,
  failure: null,
}
const failure = { kind: 'cancelled' } as const

describe('the state of a list', () => {
  it.each<[string, Partial<ListFacts>, ListState]>([
    [
      'rows, whatever else fails',
      { total: 3, all: 9, failure, syncing: true, hasKey: false, stopped: true },
      'rows',
    ],
    ['why it has no rows', { total: null, all: null, failure }, 'failed'],
    ['that the first response is in flight', { total: null, all: null }, 'waiting'],
    ['that the filter hides all', { all: 9, filtered: true }, 'nothing-matches'],
    [
      'that the filter hides all, also during a sync',
      { all: 9, filtered: true, syncing: true },
      'nothing-matches',
    ],
    ['that the first sync runs', { syncing: true }, 'first-sync'],
    ['that a key is needed', { hasKey: false }, 'no-key'],
    ['that the key was refused', { stopped: true }, 'stopped'],
    ['that nothing was read yet', {}, 'nothing-yet'],
    ['that the service has none', { completeAt: 1 }, 'none-there'],
  ])('is %s', (_what, facts, state) => {
    expect(listState({ ...quiet, ...facts })).toBe(state)
  })
})
