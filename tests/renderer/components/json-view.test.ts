import { mount } from '@vue/test-utils'
import { expect, it } from 'vitest'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { copyTextKey } from '../../../renderer/components/clipboard.ts'
import JsonView from '../../../renderer/components/JsonView.vue'
import { textIn } from '../page.ts'

it('JSON is copied whole, or the value and the path of the current line', async () => {
  const value = { rooms: [{ name: 'Aarhus 3', online: true }] }
  const copied: string[] = []
  const view = mount(JsonView, {
    props: { value, what: 'Record' },
    global: {
      plugins: [i18n],
      provide: { [copyTextKey as symbol]: (text: string) => Promise.resolve(copied.push(text) > 0) },
    },
  })
  const press = async (name: string): Promise<void> => {
    const button = view.findAll('button').find((one) => one.text() === name)
    await button?.trigger('click')
  }
  await press('Copy')
  const tree = view.get('[role=tree]')
  for (let down = 0; down < 3; down += 1) await tree.trigger('keydown', { key: 'ArrowDown' })
  const read = view.get('p.whole').text()
  await press('Copy value')
  await press('Copy path')
  expect({ named: tree.attributes('aria-label'), read, copied }).toEqual({
    named: 'Record as received',
    read: 'Aarhus 3',
    copied: [JSON.stringify(value, null, 2), 'Aarhus 3', 'rooms[0].name'],
  })
})

it('an item is named before its members are counted', async () => {
  const view = mount(JsonView, {
    props: { value: { products: [{ name: 'Jabra Evolve 20', id: 1 }] }, what: 'Record' },
    global: { plugins: [i18n], provide: { [copyTextKey as symbol]: () => Promise.resolve(true) } },
  })
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowLeft'])
    await view.get('[role=tree]').trigger('keydown', { key })
  expect(view.findAll('.line').map((one) => textIn(one.element))).toEqual([
    '{ } 1 member',
    'products [ ] 1 item',
    '0 Jabra Evolve 20 2 members',
  ])
})
