import { describe, expect, it } from 'vitest'
import {
  inSettingOrder,
  spacedName,
  labelFrom,
  type SettingNames,
} from '../../electron/contract/setting-name.ts'

describe('the label of a setting', () => {
  it.each([
    ['soundMode', 'Sound mode'],
    ['SOUND_MODE', 'Sound mode'],
    ['gatt.batteryLevel', 'GATT battery level'],
    ['ancModePcApp', 'ANC mode PC app'],
    ['MAC_ADDRESS', 'MAC address'],
    ['microphoneStatusOK', 'Microphone status OK'],
    ['dectErrors', 'DECT errors'],
    ['people_count', 'People count'],
    ['24HourFormat', '24 hour format'],
    ['zoom4KEnabled', 'Zoom 4K enabled'],
    ['USBAudioMode', 'USB audio mode'],
    ['<b>bold</b>', '<b>bold</b>'],
    ['constructor', 'Constructor'],
    ['__', '__'],
    ['', ''],
  ])('%s in plain words', (name, words) => {
    expect(spacedName(name)).toBe(words)
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

  const ordered = (
    groups: SettingNames['groups'],
    all: readonly string[],
    productIds?: readonly number[],
  ): readonly string[] =>
    inSettingOrder(
      { labels: names, groups },
      all.map((name) => ({ name })),
      productIds,
    ).map(({ name }) => name)
  it('sorts numbers by value, and equal labels by name', () => {
    const all = ['zone10', 'soundMode', 'zone_2', 'zone2', 'sidetoneLevelEnum', 'audio']
    expect(ordered(new Map(), all)).toEqual([
      'audio',
      'soundMode',
      'sidetoneLevelEnum',
      'zone2',
      'zone_2',
      'zone10',
    ])
  })
  it('sorts after the group: of the given products, else of any; settings without a group come last', () => {
    const groups = new Map([
      [
        1,
        new Map([
          ['zone2', 'Video'],
          ['audio', 'Sound'],
        ]),
      ],
      [2, new Map([['zone2', 'Areas']])],
    ])
    const all = ['audio', 'zone_2', 'mute']
    expect([undefined, [1], [2], [2, 1], []].map((ids) => ordered(groups, all, ids).join())).toEqual([
      'audio,zone_2,mute',
      'audio,zone_2,mute',
      'zone_2,audio,mute',
      'zone_2,audio,mute',
      'audio,mute,zone_2',
    ])
  })
})
