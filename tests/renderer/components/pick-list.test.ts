import { mount } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import PickList from '../../../renderer/components/PickList.vue'

const items = Array.from({ length: 30 }, (_none, index) => ({ id: `p${index}`, title: `Product ${index}` }))
const aList = (selectedId: string | null = null) =>
  mount(PickList, { props: { items, selectedId, label: 'Products' } })

describe('a pick list', () => {
  it('moves by arrows and picks by Enter', async () => {
    const list = aList('p3')
    await list.trigger('keydown', { key: 'ArrowDown' })
    await list.trigger('keydown', { key: 'ArrowDown' })
    await list.trigger('keydown', { key: 'ArrowUp' })
    await list.trigger('keydown', { key: 'Enter' })
    expect(list.emitted('pick')).toEqual([['p4']])
  })

  it('reaches both ends by Home and End, and loads more at the end', async () => {
    const list = aList('p3')
    await list.trigger('keydown', { key: 'End' })
    expect(list.find('.active').text()).toBe('Product 29')
    expect(list.emitted('end')).toHaveLength(1)
    await list.trigger('keydown', { key: 'Home' })
    expect(list.find('.active').text()).toBe('Product 0')
  })

  it('exposes the selected and the active item to screen readers', async () => {
    const list = aList('p1')
    await list.trigger('keydown', { key: 'ArrowDown' })
    expect(list.findAll('[aria-selected="true"]').map((one) => one.text())).toEqual(['Product 1'])
    expect(list.find(`#${list.attributes('aria-activedescendant') ?? ''}`).text()).toBe('Product 2')
  })

  it('gives a detail the whole line if nothing is at its end', () => {
    const list = mount(PickList, {
      props: {
        items: [
          { id: 'a', title: 'A', detail: 'MS Mono, MS Mono (Teams)', detailEnd: null },
          { id: 'b', title: 'B', detail: 'MS', detailEnd: '33 devices' },
        ],
        selectedId: null,
        label: 'Products',
      },
    })
    const [a, b] = list.findAll('[role="option"]')
    expect(a!.findAll('.detail').map((one) => one.classes().includes('col-span-2'))).toEqual([true])
    expect(b!.findAll('.detail').map((one) => one.text())).toEqual(['MS', '33 devices'])
  })
})
