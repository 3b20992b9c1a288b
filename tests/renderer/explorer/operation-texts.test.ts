import { describe, expect, it } from 'vitest'
import { operations } from '../../../electron/contract/operations.ts'
import { english, i18n } from '../../../renderer/locales/i18n.ts'
import { groupOf, pathSource } from '../../../renderer/explorer/operation-groups.ts'
import { markOfCall } from '../../../renderer/explorer/call-mark.ts'

describe('Operations in plain words', () => {
  it('each documented operation has a title and a meaning, and none is left of a removed one', () => {
    const { te } = i18n.global
    expect(
      operations
        .filter(
          ({ name }) =>
            !te(`explorer.operations.${name}.title`) || !te(`explorer.operations.${name}.meaning`),
        )
        .map(({ name }) => name),
    ).toEqual([])
    const { explorer } = english as { readonly explorer: { readonly operations: object } }
    const listed = Object.keys(explorer.operations)
    expect(listed.filter((name) => !operations.some((operation) => operation.name === name))).toEqual([])
  })
  it('each that writes has a name in the journal and a sentence before it is sent', () => {
    const { te } = i18n.global
    const without = operations.filter(
      ({ name, effect }) =>
        effect !== null && !(te(`journal.operations.${name}`) && te(`explorer.write.effect.${effect.word}`)),
    )
    expect(without.map(({ name }) => name)).toEqual([])
  })
  it('one without a row is in the group of the service itself', () => {
    expect(groupOf('GetSomethingNew')).toBe('service')
    expect(groupOf('constructor')).toBe('service')
  })
  it.each([
    ['GetRoom', '/meetingrooms/api/meetingrooms/{groupId}', true, 'published'],
    ['GetDeviceSettings', '/devices/api/devices/{deviceId}/settings', false, 'observed'],
    ['GetDeviceSettings', '/own/{deviceId}', false, 'template'],
    ['GetDeviceFirmware', '/own/{deviceId}/firmware', false, 'template'],
    ['GetDeviceFirmware', null, false, 'none'],
  ] as const)('the path of %s at %s is shown as %s: %s', (name, path, published, source) => {
    expect(
      pathSource({
        name,
        path,
        published,
        interface: 'management',
        method: 'GET',
        parameters: [],
        writes: false,
        answer: null,
      }),
    ).toBe(source)
  })
  it.each([
    [200, 'ok'],
    [304, 'ok'],
    [404, 'warn'],
    [429, 'warn'],
    [503, 'bad'],
    [null, 'unknown'],
  ])('status %s is marked %s', (status, mark) => {
    expect(markOfCall(status)).toBe(mark)
  })
})
