import type { Page } from 'playwright-core'

/** Milliseconds between frames while an element scrolls from its beginning to its end in so many frames. */
export function scrollThrough(page: Page, selector: string, steps: number): Promise<number[]> {
  return page.evaluate(
    ([chosen, count]) =>
      new Promise<number[]>((resolve) => {
        const element = document.querySelector(chosen) as HTMLElement
        const total = element.scrollHeight - element.clientHeight
        const took: number[] = []
        let last = performance.now()
        let step = 0
        const next = (at: number): void => {
          took.push(at - last)
          last = at
          if (step++ >= count) return resolve(took.slice(2))
          element.scrollTop = (total * step) / count
          requestAnimationFrame(next)
        }
        requestAnimationFrame(next)
      }),
    [selector, steps] as const,
  )
}

/** From now on every keystroke notes how long it waited for the page, in milliseconds. */
export async function noteInputDelays(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const delays: number[] = []
    Object.assign(window, { benchDelays: delays })
    window.addEventListener('keydown', (event) => delays.push(performance.now() - event.timeStamp), {
      capture: true,
    })
  })
  return () => page.evaluate(() => (window as unknown as { benchDelays: number[] }).benchDelays)
}

/**
 * Types one letter after the other into the focused field and answers, for each, the milliseconds from the keystroke to the second
 * frame after the page shows the number of rows that it must lead to.
 */
export async function typeAndWait(
  page: Page,
  letters: readonly { readonly key: string; readonly total: string }[],
  shown: string,
): Promise<number[]> {
  const took: number[] = []
  for (const { key, total } of letters) {
    // In place before the key is pressed: a key may overtake a script that was sent before it.
    await page.evaluate(
      ([expected, place]) => {
        const painted = new Promise<number>((resolve, reject) => {
          let pressedAt = 0
          const giveUpAt = performance.now() + 20_000
          window.addEventListener('keydown', (event) => (pressedAt = event.timeStamp), {
            capture: true,
            once: true,
          })
          const look = (): void => {
            const text = document.querySelector(place)?.textContent ?? ''
            if (performance.now() > giveUpAt) return reject(new Error(`"${expected}" was not shown: ${text}`))
            if (pressedAt > 0 && text.trim().startsWith(`${expected} `))
              return void requestAnimationFrame(() => resolve(performance.now() - pressedAt))
            requestAnimationFrame(look)
          }
          look()
        })
        Object.assign(window, { benchPainted: painted })
      },
      [total, shown] as const,
    )
    await page.keyboard.press(key)
    took.push(
      await page.evaluate(() => (window as unknown as { benchPainted: Promise<number> }).benchPainted),
    )
  }
  return took
}

export const percentile = (values: readonly number[], part: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
export const rounded = (value: number, digits = 1): number => Math.round(value * 10 ** digits) / 10 ** digits
