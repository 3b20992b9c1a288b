import { mount } from '@vue/test-utils'
import { expect, onTestFinished, test } from 'vitest'
import type { DeviceColumn } from '../../../electron/contract/api/devices.ts'
import { termOf, withColumn, type ColumnTerm } from '../../../renderer/devices/column-filter.ts'
import ColumnFilter from '../../../renderer/devices/ColumnFilter.vue'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { settle } from '../core.ts'

const products = ['Jabra Evolve2 65', 'Jabra PanaCast 50', 'Jabra Speak2 75']
const versions = ['2.1.0', '2.4.0']

/** The filter of a column, whose term is set as a page does it. `others`: terms of the same column. */
async function openFilter(column: DeviceColumn, first: ColumnTerm | null = null, others = '') {
  let where = `${withColumn('', column, first)} ${others}`.trim()
  const beside = document.body.appendChild(document.createElement('button'))
  const page = document.body.appendChild(document.createElement('div'))
  page.id = 'page'
  const set: (ColumnTerm | null)[] = []
  const facets = { statuses: [], products: products.map((word) => ({ word, count: 1 })), firmware: [] }
  const filter = mount(ColumnFilter, {
    attachTo: page,
    props: {
      column,
      beside,
      term: first,
      facets: facets as never,
      suggest: () => Promise.resolve(versions.map((word) => ({ word, count: 1 }))),
      onSet: (term: ColumnTerm | null) => {
        set.push(term)
        where = withColumn(where, column, term)
        void filter.setProps({ term: termOf(where, column) })
      },
    },
    global: { plugins: [i18n] },
  })
  onTestFinished(() => {
    filter.unmount()
    page.remove()
    beside.remove()
  })
  await settle()
  const box = document.querySelector('.column-filter')!
  const field = box.querySelector<HTMLInputElement>('form input')!
  return {
    field,
    where: () => where,
    ticked: () =>
      [...box.querySelectorAll('label')]
        .filter((line) => line.querySelector('input')!.checked)
        .map((line) => (line.querySelector('.word') ?? line).textContent.trim()),
    closed: () => filter.emitted('close')?.length ?? 0,
    last: () => set.at(-1),
    type: async (text: string): Promise<void> => {
      field.value = text
      field.dispatchEvent(new Event('input'))
      await settle()
    },
    tick: async (word: string): Promise<void> => {
      ;[...box.querySelectorAll('li')]
        .find((line) => line.querySelector('.word')?.textContent === word)!
        .querySelector('input')!
        .click()
      await settle()
    },
    apply: async (): Promise<void> => {
      box.querySelector('form')!.dispatchEvent(new Event('submit', { cancelable: true }))
      await settle()
    },
  }
}

test('Apply beside an empty field closes the filter and keeps what was ticked', async () => {
  const { tick, apply, last, closed } = await openFilter('productName')
  await tick('Jabra Evolve2 65')
  await tick('Jabra Speak2 75')
  await apply()
  expect([last(), closed()]).toEqual([
    { negated: false, comparison: 'is', values: ['Jabra Evolve2 65', 'Jabra Speak2 75'] },
    1,
  ])
})

test('a text that was typed to find a value does not replace the value that was ticked', async () => {
  const { type, tick, apply, last, field } = await openFilter('productName')
  await type('Evol')
  await tick('Jabra Evolve2 65')
  const text = field.value
  await apply()
  expect([text, last()]).toEqual(['', { negated: false, comparison: 'is', values: ['Jabra Evolve2 65'] }])
})

test('Apply beside a field that was emptied removes the text that was searched', async () => {
  const { type, apply, last, closed } = await openFilter('productName', {
    negated: false,
    comparison: 'has',
    values: ['Evol'],
  })
  await type('')
  await apply()
  expect([last(), closed()]).toEqual([null, 1])
})

test('versions that were ticked earlier are not replaced by the first of them', async () => {
  const { field, apply, last, closed } = await openFilter('firmwareVersion', {
    negated: false,
    comparison: 'is',
    values: versions,
  })
  const text = field.value
  await apply()
  expect([text, last(), closed()]).toEqual(['', undefined, 1])
})

const twoTexts: ColumnTerm = { negated: false, comparison: 'has', values: ['Evolve', 'Speak'] }

test('two texts that are searched are both shown, and stay', async () => {
  const { ticked, field, apply, last, closed } = await openFilter('productName', twoTexts)
  const [shown, text] = [ticked(), field.value]
  await apply()
  expect([shown, text, last(), closed()]).toEqual([['Evolve', 'Speak'], '', undefined, 1])
})

test('of two texts that are searched, the one that remains is searched and in the field', async () => {
  const { tick, ticked, field, last } = await openFilter('productName', twoTexts)
  await tick('Evolve')
  expect([last(), ticked(), field.value]).toEqual([
    { negated: false, comparison: 'has', values: ['Speak'] },
    [],
    'Speak',
  ])
})

test('"Unknown" is ticked in either spelling, and stays', async () => {
  const missing: ColumnTerm = { negated: false, comparison: 'has', values: [''] }
  const { ticked, apply, last, closed } = await openFilter('productName', missing)
  const shown = ticked()
  await apply()
  expect([shown, last(), closed()]).toEqual([['Unknown'], undefined, 1])
})

test('a second term of the column stays where another value is ticked, which stays ticked', async () => {
  const one: ColumnTerm = { negated: false, comparison: 'is', values: ['Jabra Speak2 75'] }
  const { tick, ticked, where } = await openFilter('productName', one, 'product:Jabra')
  await tick('Jabra PanaCast 50')
  expect([where(), ticked()]).toEqual([
    'product:="Jabra Speak2 75","Jabra PanaCast 50" product:Jabra',
    ['Jabra PanaCast 50', 'Jabra Speak2 75'],
  ])
})

test('a second term of the column is in the field once the first is gone, and stays', async () => {
  const one: ColumnTerm = { negated: false, comparison: 'is', values: ['Jabra Speak2 75'] }
  const { tick, field, apply, where } = await openFilter('productName', one, 'product:Jabra')
  await tick('Jabra Speak2 75')
  const text = field.value
  await apply()
  expect([text, where()]).toEqual(['Jabra', 'product:Jabra'])
})
