import { mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, describe, expect, it } from 'vitest'
import { nextTick } from 'vue'
import type { Organization } from '../../../electron/contract/api/organizations.ts'
import OrganizationSwitcher from '../../../renderer/layout/OrganizationSwitcher.vue'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { openCore, settle } from '../core.ts'

/** Fifty customers with numbers of one and two digits. */
async function openSwitcher(): Promise<VueWrapper> {
  const { handlers } = await openCore()
  const [first] = (await handlers.organizations.list()).organizations
  const organizations = Array.from({ length: 50 }, (_, at): Organization => ({
    ...first!,
    id: `customer-${at + 1}`,
    name: `Customer ${at + 1}`,
    current: at === 0,
  }))
  const switcher = mount(OrganizationSwitcher, {
    attachTo: '#page',
    props: { organizations, current: organizations[0]! },
    global: { plugins: [i18n] },
  })
  await switcher.get('.switcher').trigger('click')
  await settle()
  return switcher
}
let switcher: VueWrapper
afterEach(() => switcher.unmount())

/** Types as a keyboard does: each key goes to the element that has the focus then. */
async function type(keys: string): Promise<void> {
  for (const key of keys) {
    const pressed = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
    if (!document.activeElement!.dispatchEvent(pressed)) continue
    const field = document.activeElement
    if (!(field instanceof HTMLInputElement)) continue
    field.value += key
    field.dispatchEvent(new Event('input', { bubbles: true }))
    await nextTick()
  }
}
async function press(key: string): Promise<void> {
  document.activeElement!.dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
  )
  await settle()
}
const used = (): unknown => switcher.emitted('use') ?? []

describe('the organization switcher', () => {
  it.each([
    ['Customer 37', 'customer-37'],
    ['customer 3', 'customer-3'],
  ])('opens the organization typed as %s', async (typed, id) => {
    switcher = await openSwitcher()
    await type(typed)
    expect(used()).toEqual([])
    await press('Enter')
    expect(used()).toEqual([[id]])
  })

  it('takes what is typed while the list has the focus', async () => {
    switcher = await openSwitcher()
    await type('Customer 2')
    await press('ArrowDown')
    await type('9')
    await press('Enter')
    expect(used()).toEqual([['customer-29']])
  })

  it('asks which of several matches is meant', async () => {
    switcher = await openSwitcher()
    await type('stomer 4')
    await press('Enter')
    expect([used(), document.activeElement!.getAttribute('role')]).toEqual([[], 'listbox'])
    await press('Enter')
    expect(used()).toEqual([['customer-4']])
  })

  it('says that none matches, and opens none', async () => {
    switcher = await openSwitcher()
    await type('Custumer')
    await press('Enter')
    expect([used(), document.body.textContent]).toEqual([
      [],
      expect.stringContaining('No organization matches'),
    ])
  })
})
