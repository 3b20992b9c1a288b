import { expect } from '@playwright/test'
import { test } from './demonstration.ts'
import { openPage } from './pages.ts'

test('a hostile note runs nothing, loads nothing and stays in its box', async ({ demonstration: page }) => {
  const requests: string[] = []
  page.on('request', (request) => void requests.push(new URL(request.url()).hostname))
  // The demonstration publishes a hostile note of one version of this product.
  await openPage(page, 'release-notes/2830/4374', 'main article')
  const note = page.getByRole('article').filter({ hasText: 'This text stays in its box.' })
  await note.scrollIntoViewIfNeeded()
  await expect(note).toContainText('A picture that is not loaded')
  const { elements, ...found } = await note.evaluate((article) => {
    const box = article.getBoundingClientRect()
    const rail = document.querySelector('nav a')
    const at = rail?.getBoundingClientRect() ?? box
    // The heading is ours.
    const parts = [...article.querySelectorAll('*')].filter((one) => one.closest('header') === null)
    return {
      elements: [...new Set(parts.map((one) => one.localName))].sort(),
      attributes: parts.flatMap((one) =>
        one.getAttributeNames().filter((name) => /^on|^style$|^src|^href$|^action$/.test(name)),
      ),
      title: document.title,
      isInside: box.right <= document.documentElement.clientWidth,
      railIsFree: rail?.contains(document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2)),
    }
  })
  expect(elements.filter((name) => !/^(?:p|div|table|tbody|tr|td|button|span)$/.test(name))).toEqual([])
  expect(found).toEqual({
    attributes: [],
    title: 'Release notes · Headroom',
    isInside: true,
    railIsFree: true,
  })
  expect(requests.filter((host) => host.endsWith('.example'))).toEqual([])
})

test('the drawer of a device leads to the notes of what an update changes', async ({
  demonstration: page,
}) => {
  await openPage(page, 'devices?q=fw:behind', '.grid-row .mark')
  // The middle of a row may lie below a pinned column that another test widened.
  await page.locator('[role=gridcell][data-column=userOrRoom]').first().click()
  const drawer = page.getByRole('complementary', { name: /^Details of/ })
  await drawer.getByRole('link', { name: 'Release notes' }).click()
  await expect(page.getByRole('combobox', { name: 'Newer than' })).not.toHaveValue('')
  await expect(page.getByRole('article').first()).toBeVisible()
})
