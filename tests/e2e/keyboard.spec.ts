import { expect, test, type Page } from '@playwright/test'
import { expectCount, newHome, startProgram, type Home, type Program } from './program.ts'

let home: Home
let program: Program

test.beforeEach(async () => {
  home = newHome()
  program = await startProgram(home)
})
test.afterEach(async () => {
  await program.close()
  home.remove()
})

/** The focused element; fails if there is none, or if its focus is not visible. */
async function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const at = document.activeElement
    if (at === null || at === document.body) return 'nothing'
    const { width, height, bottom, top } = at.getBoundingClientRect()
    if (width === 0 || height === 0 || bottom < 0 || top > innerHeight)
      return `out of sight: ${at.outerHTML.slice(0, 80)}`
    return at.getAttribute('aria-label') ?? at.textContent.trim().replaceAll(/\s+/g, ' ')
  })
}
async function expectFocus(page: Page, on: RegExp): Promise<void> {
  await expect.poll(() => focused(page)).toMatch(on)
  expect(await focused(page)).not.toMatch(/^(nothing$|out of sight)/)
}

/** Presses a key until the given element has the focus; fails after 40 presses. */
async function pressUntil(page: Page, key: string, on: RegExp): Promise<void> {
  const seen: string[] = []
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press(key)
    const at = await focused(page)
    seen.push(at)
    expect(at).not.toMatch(/^(nothing|out of sight)/)
    if (on.test(at)) return
  }
  throw new Error(`${String(on)} was not reached by ${key}: ${seen.join(' | ')}`)
}

test('without a pointer a device and the next one are found, read, copied from and tagged, and the focus always returns', async () => {
  const { page } = program
  await expect(page.getByRole('button', { name: /^Open the demonstration/ })).toBeVisible()
  // On the first page the key has the focus; the demonstration comes before it.
  await pressUntil(page, 'Shift+Tab', /^Open the demonstration/)
  await page.keyboard.press('Enter')
  await expectCount(page, 'devices', 1200)
  await expect(page.getByRole('contentinfo').getByText('Synced at')).toBeVisible()

  // Filter by suggestions.
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await expect(page.getByRole('heading', { name: 'Devices', level: 1 })).toBeVisible()
  await expect(page.locator('.grid-row .mark').first()).toBeVisible()
  await page.keyboard.press('/')
  await expectFocus(page, /^Filter devices$/)
  await page.keyboard.type('status:off')
  await expect(page.getByRole('option', { name: /offline/ }).first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^\d+ of 1,200/).first()).toBeVisible()
  await page.keyboard.press('Escape')

  // From the box into the list, down two rows, open. Enter acts on loaded rows, so the test waits for those
  // of the filter.
  await expect(page.locator('.grid-row').filter({ hasText: 'Offline' }).first()).toBeVisible()
  await expect(page.locator('.grid-row').filter({ hasText: 'Online' })).toHaveCount(0)
  await page.keyboard.press('/')
  await expectFocus(page, /^Filter devices$/)
  await page.keyboard.press('Enter')
  /** Row of the list's active cell, and its serial. */
  const active = (): Promise<{ readonly row: string | null; readonly serial: string | null }> =>
    page.evaluate(() => {
      const cell = document.getElementById(
        document.activeElement?.getAttribute('aria-activedescendant') ?? '',
      )
      const row = cell?.closest('[role="row"]')
      return {
        row: row?.getAttribute('aria-rowindex') ?? null,
        serial: row?.querySelector('[data-column="serialNumber"]')?.textContent ?? null,
      }
    })
  const focusedRow = async (): Promise<string | null> => (await active()).row
  await expect.poll(focusedRow).not.toBeNull()
  for (let steps = 0; steps < 3 && (await focusedRow()) !== '4'; steps++)
    await page.keyboard.press('ArrowDown')
  await expect.poll(focusedRow).toBe('4')
  const { serial } = await active()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('complementary', { name: /^Details of/ })
  await expect(drawer).toBeVisible()
  await expectFocus(page, /^Details of/)
  const opened = (): Promise<string> => page.evaluate(() => location.hash.replace(/\?.*/, ''))
  const first = await opened()

  // To the next device and back.
  await page.keyboard.press('Alt+ArrowDown')
  await expect.poll(opened).not.toBe(first)
  await expectFocus(page, /./)
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(opened).toBe(first)
  await expect(drawer).toContainText(serial!)

  // Copying a fact: Tab enters a list of facts, arrows move between them.
  await pressUntil(page, 'Tab', /^Copy (Status|Room|Computer|User)/)
  await page.keyboard.press('End')
  await expectFocus(page, /^Copy /)
  const fact = page.locator('.fact').filter({ has: page.locator(':focus') })
  await page.keyboard.press('Enter')
  await expect.poll(() => program.clipboard()).not.toBe('')
  await expect(fact).toContainText(await program.clipboard())

  // A tag, and Ctrl+Z removes it again.
  await page.evaluate(() => document.querySelector<HTMLElement>('aside')?.focus())
  await pressUntil(page, 'Tab', /^Add a tag$/)
  await page.keyboard.type('spare')
  await page.keyboard.press('Enter')
  await expect(drawer.getByRole('button', { name: 'Remove spare' })).toBeVisible()
  await expectFocus(page, /^Add a tag$/)
  await page.keyboard.press('Shift+Tab')
  await expectFocus(page, /^Remove spare$/)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(drawer.getByRole('button', { name: 'Remove spare' })).toHaveCount(0)
  await expectFocus(page, /^Add a tag$/)

  // Closing returns to the original row.
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  // Devices above it may have been added or removed meanwhile.
  await expect.poll(async () => (await active()).serial).toBe(serial)

  // To another page with the palette, then to the list of shortcuts and back.
  // All keys in one task, so before its box is drawn: neither letters nor Enter are lost.
  await page.evaluate(() => {
    const press = (key: string, ctrlKey = false): void =>
      void document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }),
      )
    press('k', true)
    for (const key of [...'changes', 'Enter']) press(key)
  })
  await expect(page.getByRole('heading', { name: 'Changes', level: 1 })).toBeVisible()
  await expectFocus(page, /./)
  const before = await focused(page)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toHaveCount(0)
  await expect.poll(() => focused(page)).toBe(before)
  expect(program.pageErrors).toEqual([])
})
