import type { Page } from 'playwright-core'
import { goTo } from './app-under-test.ts'

/** Milliseconds from an input event of the page to the frame after the one in which the condition holds. */
async function painted(
  page: Page,
  event: 'keydown' | 'click',
  act: () => Promise<void>,
  condition: { readonly selector: string; readonly value: string | null },
): Promise<number> {
  await page.evaluate(
    ([name, { selector, value }]) => {
      const shown = new Promise<number>((resolve, reject) => {
        let at = 0
        const giveUpAt = performance.now() + 60_000
        window.addEventListener(name, (one) => (at = one.timeStamp), { capture: true, once: true })
        const look = (): void => {
          if (performance.now() > giveUpAt) return reject(new Error(`${selector} was not shown`))
          const field = document.querySelector('.palette input')
          const holds = document.querySelector(selector) !== null
          if (at > 0 && holds && (value === null || (field as HTMLInputElement | null)?.value === value))
            return void requestAnimationFrame(() => resolve(performance.now() - at))
          requestAnimationFrame(look)
        }
        look()
      })
      Object.assign(window, { benchShown: shown })
    },
    [event, condition] as const,
  )
  await act()
  return page.evaluate(() => (window as unknown as { benchShown: Promise<number> }).benchShown)
}

/** Of each letter of these words in the palette, until its results are complete; the palette is new for each word. */
export async function paletteLetters(page: Page, words: readonly string[]): Promise<readonly number[]> {
  const took: number[] = []
  for (const word of words) {
    await page.keyboard.press('Control+k')
    await page.locator('.palette input').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    for (let length = 1; length <= word.length; length++) {
      const value = word.slice(0, length)
      const selector = '.palette [role=listbox][aria-busy=false]'
      took.push(await painted(page, 'keydown', () => page.keyboard.press(value.at(-1)!), { selector, value }))
    }
    await page.keyboard.press('Escape')
    await page.locator('.palette').waitFor({ state: 'detached' })
  }
  return took
}

/** From the click on Reboot, with every room selected that matches the filter, until the plan can be confirmed. */
export async function planOpens(page: Page, where: string): Promise<number> {
  await goTo(page, '/devices')
  await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor()
  await goTo(page, `/rooms?where=${encodeURIComponent(where)}`)
  const rows = page.getByRole('grid', { name: 'Rooms' }).getByRole('row')
  await rows.nth(2).waitFor()
  await rows.nth(1).click()
  await page.keyboard.press('Control+a')
  const button = page.getByRole('button', { name: 'Reboot…' })
  await button.waitFor()
  const selector = 'form.plan[aria-busy=false] .items [role=row][aria-rowindex="2"]'
  const ms = await painted(page, 'click', () => button.click(), { selector, value: null })
  await page.keyboard.press('Escape')
  return ms
}
