// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { aFleet } from '../double/fleet.ts'
import { openPage } from '../open-page.ts'

afterEach(() => {
  document.body.innerHTML = ''
})
const id = aFleet(300, Date.now()).devices[0]!.id
const aDevice = () => openPage(`/devices/${id}`)

describe('the drawer of a device', () => {
  it('says the firmware and the definition version first, then the facts', async () => {
    const { page } = await aDevice()
    const drawer = page.get('aside [role="tabpanel"]')
    expect([...drawer.element.children].slice(0, 2).map((one) => one.className)).toEqual(['card firmware', 'card definition'])
  })

  it('gives the stage to the version in use, not to the latest', async () => {
    const { page } = await aDevice()
    const card = page.get('.definition')
    expect(card.get('h3').text()).toMatch(/^Definition version in use: [\d.]+ \(Public\)$/)
    expect(card.get('p').text()).not.toContain('Public')
  })

  it('keeps name, tabs and close button in one head that stays while the rest scrolls', async () => {
    const { page } = await aDevice()
    const head = page.get('aside .head')
    expect([head.find('h2.name').exists(), head.find('[role="tablist"]').exists(), page.find('aside > .corner > button').exists()]).toEqual([true, true, true])
  })

  it('another tab is read from its top', async () => {
    const { page } = await aDevice()
    const drawer = page.get('aside').element
    drawer.scrollTop = 300
    await page
      .findAll('aside [role="tab"]')
      .find((one) => one.text().startsWith('Raw'))
      ?.trigger('click')
    expect(drawer.scrollTop).toBe(0)
  })
})
