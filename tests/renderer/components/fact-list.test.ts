import { mount, type VueWrapper } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { copyTextKey } from '../../../renderer/components/clipboard.ts'
import type { Fact } from '../../../renderer/components/fact.ts'
import FactList from '../../../renderer/components/FactList.vue'
import { stepOfKey } from '../../../renderer/components/step-keys.ts'
import { settle } from '../core.ts'

const facts: readonly Fact[] = [
  { key: 'serial', label: 'Serial', value: '00A1' },
  { key: 'room', label: 'Room', value: null, none: 'in no room' },
  { key: 'product', label: 'Product id', value: '0x24B3 · 9395', copy: '0x24B3' },
  { key: 'secret', label: 'Kept', value: 'not copied', copy: false },
  { key: 'id', label: 'Id', value: 'D9' },
]

function visible(): {
  readonly copied: string[]
  readonly press: (key: string, more?: KeyboardEventInit) => Promise<void>
  readonly page: VueWrapper
} {
  const copied: string[] = []
  const page = mount(FactList, {
    props: { facts },
    attachTo: document.body,
    global: {
      plugins: [i18n],
      provide: { [copyTextKey as symbol]: (text: string) => Promise.resolve(copied.push(text) > 0) },
    },
  })
  const press = async (key: string, more: KeyboardEventInit = {}): Promise<void> => {
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }),
    )
    await settle()
  }
  return { copied, press, page }
}
const stops = (page: VueWrapper): string[] =>
  page.findAll('.copy').map((button) => button.attributes('tabindex') ?? '')

describe('facts', () => {
  it('can be copied when they have a value, and otherwise explain why not', () => {
    const { page } = visible()
    expect(page.findAll('.copy').map((button) => button.attributes('aria-label'))).toEqual([
      'Copy Serial',
      'Copy Product id',
      'Copy Id',
    ])
    expect(page.text()).toContain('in no room')
  })
  it('break addresses after their groups, not within one', async () => {
    const { page } = visible()
    await page.setProps({
      facts: [
        { key: 'mac', label: 'MAC', value: '3C:52:82', mono: true },
        { key: 'system', label: 'System', value: 'Windows 11.0' },
        { key: 'request', label: 'Request', value: 'POST /rooms/D1/reboot', mono: true },
      ],
    })
    const textsOf = (element: Element): readonly string[] =>
      [...element.childNodes]
        .filter(({ nodeName }) => nodeName === '#text')
        .map((one) => one.textContent ?? '')
    expect(page.findAll('.value > span').map(({ element }) => textsOf(element).filter(Boolean))).toEqual([
      ['3C:', '52:', '82'],
      ['Windows 11.0'],
      ['POST /', 'rooms/', 'D1/', 'reboot'],
    ])
    expect(page.findAll('wbr').length).toBe(5)
  })
  it('are one Tab stop, at the fact reached last', async () => {
    const { page, press } = visible()
    expect(stops(page)).toEqual(['0', '-1', '-1'])
    ;(page.get('.copy').element as HTMLElement).focus()
    await press('ArrowDown')
    expect(stops(page)).toEqual(['-1', '0', '-1'])
  })
  it.each([
    [['ArrowDown'], 'Copy Product id'],
    [['End'], 'Copy Id'],
    [['End', 'ArrowDown'], 'Copy Id'],
    [['End', 'Home'], 'Copy Serial'],
    [['ArrowUp'], 'Copy Serial'],
  ])('are navigated by %j', async (keys, reached) => {
    const { page, press } = visible()
    ;(page.get('.copy').element as HTMLElement).focus()
    for (const key of keys) await press(key)
    expect(document.activeElement?.getAttribute('aria-label')).toBe(reached)
  })
  it('are copied by Ctrl+C in their form for pasting', async () => {
    const { page, press, copied } = visible()
    ;(page.get('.copy').element as HTMLElement).focus()
    await press('c', { ctrlKey: true })
    await press('ArrowDown')
    await press('c', { metaKey: true })
    expect(copied).toEqual(['00A1', '0x24B3'])
  })
})

describe('keys for previous and next', () => {
  const press = (
    key: string,
    more: KeyboardEventInit = {},
    target: HTMLElement = document.body,
  ): number | null => {
    let step: number | null = null
    const listen = (event: KeyboardEvent): void => void (step = stepOfKey(event))
    target.addEventListener('keydown', listen)
    target.dispatchEvent(new KeyboardEvent('keydown', { key, ...more }))
    target.removeEventListener('keydown', listen)
    return step
  }
  it.each<[string, KeyboardEventInit, number | null]>([
    ['j', {}, 1],
    ['K', { shiftKey: true }, -1],
    ['ArrowDown', { altKey: true }, 1],
    ['ArrowUp', { altKey: true }, -1],
    ['ArrowDown', {}, null],
    ['j', { ctrlKey: true }, null],
    ['j', { altKey: true }, null],
    ['ArrowDown', { altKey: true, ctrlKey: true }, null],
    ['x', {}, null],
  ])('%s with %j is %s', (key, more, step) => {
    expect(press(key, more)).toBe(step)
  })
  it('never intercept typed letters', () => {
    const input = document.createElement('input')
    expect([press('j', {}, input), press('ArrowDown', { altKey: true }, input)]).toEqual([null, 1])
  })
})
