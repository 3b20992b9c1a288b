import { mount } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FilterProblem } from '../../../electron/contract/filter/filter.ts'
import { vocabularies } from '../../../electron/contract/filter/vocabularies.ts'
import { listNames, type ListName } from '../../../electron/contract/view.ts'
import FilterBox from '../../../renderer/filter/FilterBox.vue'
import { english, i18n } from '../../../renderer/locales/i18n.ts'
import { openCore, settle } from '../core.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

async function aBox(begin = '', list: ListName = 'devices') {
  const core = await openCore()
  const applied: string[] = []
  const problems: (readonly FilterProblem[])[] = []
  const box = mount(FilterBox, {
    attachTo: document.body,
    props: {
      modelValue: begin,
      vocabulary: vocabularies[list],
      label: 'Filter',
      'onUpdate:modelValue': (text: string) => void (applied.push(text), box.setProps({ modelValue: text })),
      onProblem: (now: readonly FilterProblem[]) => void problems.push(now),
    },
    global: { plugins: [i18n] },
  })
  const input = box.get('input')
  const field = input.element
  field.focus()
  return {
    box,
    core,
    applied,
    problems,
    field,
    /** Letter by letter, like a keyboard. */
    async type(text: string) {
      for (const letter of text) {
        const at = field.selectionStart ?? 0
        field.value = field.value.slice(0, at) + letter + field.value.slice(at)
        field.setSelectionRange(at + 1, at + 1)
        await input.trigger('input')
      }
      await vi.advanceTimersByTimeAsync(200)
      await settle()
    },
    async paste(text: string) {
      await input.trigger('paste')
      field.value = text
      field.setSelectionRange(text.length, text.length)
      await input.trigger('input')
      await vi.advanceTimersByTimeAsync(200)
    },
    async press(key: string, more: object = {}) {
      await input.trigger('keydown', { key, ...more })
      await vi.advanceTimersByTimeAsync(200)
      await settle()
    },
    chips: () => box.findAll('.filter-chip .edit').map((chip) => chip.attributes('title')),
    options: () => box.findAll('[role="option"]').map((option) => option.text()),
    active: () => box.find(`[id="${input.attributes('aria-activedescendant')}"]`).text(),
    errors: () => box.get('.errors').text(),
  }
}

describe('typing a filter', () => {
  it('keeps a term that is typed or pasted again once', async () => {
    const { type, press, chips, applied } = await aBox('fw:behind status:online')
    await type('fw:behind tag:spare ')
    await type('status:online')
    await press('Enter')
    expect([chips().length, applied.at(-1)]).toEqual([3, 'fw:behind status:online tag:spare'])
  })
  it('makes a chip of a term at a blank, and the list updates', async () => {
    const { type, chips, applied, field } = await aBox()
    await type('status:offline anna')
    expect([chips(), field.value, applied.at(-1)]).toEqual([
      ['status:offline'],
      'anna',
      'status:offline anna',
    ])
  })
  it('applies the first keystroke at once and those within 60 ms together', async () => {
    const { type, applied } = await aBox()
    await type('anna')
    expect(applied).toEqual(['a', 'anna'])
  })
  it('ignores a half-typed term, without an error', async () => {
    const { type, applied, errors } = await aBox('tag:spare')
    await type('status:')
    expect([applied.at(-1), errors()]).toEqual(['tag:spare', ''])
  })
  it('accepts a pasted filter', async () => {
    const { paste, chips, field, applied } = await aBox()
    await paste('fw:<2.1 anna !tag:"not mine"')
    expect([chips(), field.value, applied]).toEqual([
      ['fw:<2.1', '!tag:"not mine"'],
      'anna',
      ['fw:<2.1 !tag:"not mine" anna'],
    ])
  })
  it('replaces the filter by one from elsewhere', async () => {
    const { box, chips, field } = await aBox('tag:spare')
    await box.setProps({ modelValue: 'room:Fjord lund' })
    expect([chips(), field.value]).toEqual([['room:Fjord'], 'lund'])
  })
  it('does not split text during input-method composition', async () => {
    const { box, type, chips, applied } = await aBox()
    await box.get('input').trigger('compositionstart')
    await type('tag:a b')
    expect([chips(), applied]).toEqual([[], []])
    await box.get('input').trigger('compositionend')
    await vi.advanceTimersByTimeAsync(200)
    expect(applied).toEqual(['tag:a b'])
  })
})

describe('the keyboard in the filter', () => {
  it('selects the last chip by Backspace at the start, then removes it', async () => {
    const { press, chips, applied, box } = await aBox('status:offline tag:spare')
    await press('Backspace')
    expect([box.find('.filter-chip.chosen .edit').attributes('title'), applied]).toEqual(['tag:spare', []])
    await press('Backspace')
    expect([chips(), applied]).toEqual([['status:offline'], ['status:offline']])
  })
  it('turns a selected chip back into text by Enter', async () => {
    const { press, chips, field } = await aBox('status:offline tag:spare')
    await press('ArrowLeft')
    await press('ArrowLeft')
    await press('Enter')
    expect([chips(), field.value]).toEqual([['tag:spare'], 'status:offline'])
  })
  it('clears everything by Ctrl+Backspace', async () => {
    const { press, chips, applied } = await aBox('status:offline anna')
    await press('Backspace', { ctrlKey: true })
    expect([chips(), applied]).toEqual([[], ['']])
  })
  it('Esc closes the suggestions, then leaves the box; the typed text stays, and no list opens over the results', async () => {
    const { press, type, box, field, options, applied } = await aBox()
    await type('sta')
    await press('Escape')
    expect([options(), field.value, box.emitted('leave')]).toEqual([[], 'sta', undefined])
    await press('Escape')
    expect([options(), field.value, applied.at(-1), box.emitted('leave')?.length]).toEqual([
      [],
      'sta',
      'sta',
      1,
    ])
  })
  it('keeps words without suggestions on Esc too', async () => {
    const { press, type, field, options, applied } = await aBox()
    await type('anna mü')
    await press('Escape')
    expect([options(), field.value, applied.at(-1)]).toEqual([[], 'anna mü', 'anna mü'])
  })
  it('opens no list behind a finished term, except by arrow down', async () => {
    const { press, type, options } = await aBox()
    await type('status:offline ')
    const after = options()
    await press('ArrowDown')
    expect([after, options().length]).toEqual([[], vocabularies.devices.length])
  })
  it('focuses the filter by / from anywhere on the page', async () => {
    const { field } = await aBox()
    field.blur()
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }))
    expect(document.activeElement).toBe(field)
  })
})

describe('suggestions', () => {
  it('list keys with explanation and example', async () => {
    const { type, options } = await aBox()
    await type('fw')
    expect(options()).toEqual([expect.stringMatching(/^fw:.*current \/ behind \/ revoked.*fw:<2\.1$/)])
  })
  it('list the values of the fleet with their counts, requested once per word', async () => {
    const { type, options, core } = await aBox()
    await type('product:pana')
    expect(options()[0]).toMatch(/^Jabra PanaCast .*\d+$/)
    expect(core.argumentsOf('devices.suggest')).toEqual([{ key: 'product', typed: 'pana' }])
  })
  it('are selected by arrows and accepted by Enter, which completes the term', async () => {
    const { type, press, active, chips, applied } = await aBox()
    await type('status:')
    await press('ArrowDown')
    await press('ArrowDown')
    expect(active()).toMatch(/^offline/)
    await press('Enter')
    expect([chips(), applied.at(-1)]).toEqual([['status:offline'], 'status:offline'])
  })
  it('accept a key by Tab and continue with its values', async () => {
    const { type, press, field, options } = await aBox()
    await type('gon')
    await press('Tab')
    expect([field.value, options().map((one) => one.split(/(?=[A-Z])/)[0])]).toEqual([
      'gone:',
      ['no', 'yes', 'any'],
    ])
  })
  it('find a value without its key', async () => {
    const { type, options } = await aBox('', 'rooms')
    await type('trou')
    expect(options()).toEqual([expect.stringMatching(/^health:trouble/)])
  })
  it('include recent filters while the box is empty', async () => {
    const { type, press, options } = await aBox()
    await type('tag:spare ')
    await press('Enter')
    await press('Backspace', { ctrlKey: true })
    await press('ArrowDown')
    expect(options()[0]).toBe('tag:spare')
  })
})

describe('an error in the filter', () => {
  it('is shown at its place, the rest stays applied, and typing continues', async () => {
    const { type, applied, errors, problems, box, field } = await aBox()
    await type('fw:behind stauts:off')
    expect(applied.at(-1)).toBe('fw:behind')
    expect(box.get('.mirror .error').text()).toBe('stauts')
    expect(errors()).toContain('Unknown filter “stauts”.')
    expect(errors()).toContain('Until you correct it, the list shows fw:behind')
    expect([problems.at(-1)?.map(({ kind }) => kind), field.getAttribute('aria-invalid')]).toEqual([
      ['unknown-key'],
      'true',
    ])
  })
  it('is corrected by one click', async () => {
    const { type, applied, errors, box, problems } = await aBox()
    await type('age:7d ')
    await box.findAll('.errors .linkish')[0]?.trigger('click')
    await vi.advanceTimersByTimeAsync(200)
    expect([applied.at(-1), errors(), problems.at(-1)]).toEqual(['age:>7d', '', []])
  })
  it('includes half-typed words once Enter is pressed', async () => {
    const { type, press, errors, box } = await aBox()
    await type('status:')
    await press('Escape')
    await press('Enter')
    expect([errors().includes('Enter a value.'), box.emitted('enter')]).toEqual([true, undefined])
  })
})

describe('the terms of the filter language', () => {
  const filter = english['filter'] as unknown as Readonly<
    Record<'keys' | 'words', Readonly<Record<string, unknown>>>
  >
  it.each(listNames)('have an explanation for every key of %s', (list) => {
    const explained = Object.keys(filter.keys[list] as object)
    expect(explained).toEqual(vocabularies[list].map(({ key }) => key))
  })
  it.each(listNames)('have an explanation for every choice of %s', (list) => {
    const missing = vocabularies[list].flatMap(({ key, choices: words }) =>
      words.filter(
        (word) => typeof (filter.words[key] as Readonly<Record<string, unknown>>)[word] !== 'string',
      ),
    )
    expect(missing).toEqual([])
  })
})
