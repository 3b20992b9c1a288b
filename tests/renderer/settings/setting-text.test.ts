import { describe, expect, it } from 'vitest'
import { saidValue, valueOfAnyKind, valueWords } from '../../../renderer/settings/setting-text.ts'

describe('the value of a choice', () => {
  it.each([
    ['minus3dB', '−3 dB'],
    ['plus6dB', '+6 dB'],
    ['_140deg', '140°'],
    ['_30min', '30 min'],
    ['fullScreen', 'full screen'],
    ['ACTIVE_SPEAKER', 'active speaker'],
    ['normal', 'normal'],
    ['Europe/Copenhagen', 'Europe/Copenhagen'],
    ['QBC:2', 'QBC:2'],
    ['mPhoneLocal', 'mPhoneLocal'],
  ])('%s is read as %s', (value, words) => {
    expect(valueWords(value)).toBe(words)
  })

  it('that people type is shown as received', () => {
    expect([saidValue('myRoom', { kind: 'text' }), saidValue('fullScreen', { kind: 'choice' })]).toEqual([
      'myRoom',
      'full screen',
    ])
  })

  it.each([
    ['ROOM_A', 'ROOM_A'],
    ['myRoom', 'myRoom'],
    ['fullScreen', 'fullScreen'],
    ['_5', '_5'],
    ['plus3', 'plus3'],
    ['minus3dB', '−3 dB'],
    ['_140deg', '140°'],
  ])('or a typed text, if that is not known: %s is read as %s', (value, words) => {
    expect([valueOfAnyKind(value), saidValue(value, { kind: 'unknown' })]).toEqual([words, words])
  })
})
