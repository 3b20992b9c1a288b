import { describe, expect, it } from 'vitest'
import { inSettingOrder, inWords, labelFrom } from '../../electron/contract/setting-name.ts'

describe('the label of a setting', () => {
  it.each([
    ['soundMode', 'Sound mode'],
    ['SOUND_MODE', 'Sound mode'],
    ['gatt.batteryLevel', 'Gatt battery level'],
    ['zoom4KEnabled', 'Zoom 4K enabled'],
    ['USBAudioMode', 'USB audio mode'],
    ['<b>bold</b>', '<b>bold</b>'],
    ['constructor', 'Constructor'],
    ['__', '__'],
    ['', ''],
  ])('%s in words', (name, words) => {
    expect(inWords(name)).toBe(words)
  })

  const names = new Map([
    ['sidetonelevelenum', 'Sidetone'],
    ['soundmode', 'Equalizer'],
  ])
  it.each<[string, readonly (string | null)[], string]>([
    ['a display name', ['sidetoneLevelEnum'], 'Sidetone'],
    ['in another spelling of the name', ['SIDETONE_LEVEL_ENUM'], 'Sidetone'],
    ['the next candidate', ['mode', null, 'SOUND_MODE'], 'Equalizer'],
    ['else the first in words', ['muteReminder', 'MUTE'], 'Mute reminder'],
    ['of no candidate', [], ''],
  ])('is %s', (_, candidates, label) => {
    expect(labelFrom(names, ...candidates)).toBe(label)
  })

  it('gives the order, numbers by their size, and the name decides between equal ones', () => {
    const all = ['zone10', 'soundMode', 'zone_2', 'zone2', 'sidetoneLevelEnum', 'audio']
    expect(
      all
        .map((name) => ({ name }))
        .toSorted(inSettingOrder(names))
        .map(({ name }) => name),
    ).toEqual(['audio', 'soundMode', 'sidetoneLevelEnum', 'zone2', 'zone_2', 'zone10'])
  })
})
