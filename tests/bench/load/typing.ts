import type { Page } from 'playwright-core'
import { ask } from './app-under-test.ts'

const shownTotal = '.header .note'

/** A letter and its result: the number of rows as displayed, and the first row's serial number. `total` '': no visible change. */
interface Letter {
  readonly key: string
  readonly total: string
  readonly first: string
}
export type Word = readonly Letter[]

interface Slice {
  readonly all: number
  readonly total: number
  readonly rows: readonly { readonly name: string | null; readonly serialNumber: string | null }[]
}
/** The method for rows of the list: the earlier build has the other name, and another order. */
type SliceMethod = 'devices.slice' | 'devices.window'
function sliceOf(
  page: Page,
  where: string,
  start: number,
  method: SliceMethod = 'devices.slice',
): Promise<Slice> {
  const column = method === 'devices.slice' ? 'userOrRoom' : 'name'
  return ask<Slice>(page, method, { where, sort: [{ column, descending: false }], start, count: 1 })
}

/**
 * Words from the names of devices throughout the list. No two have the same beginning, so that no result for
 * an earlier one is cached.
 */
export async function wordsIn(page: Page): Promise<readonly string[]> {
  const { all } = await sliceOf(page, '', 0)
  const words = new Map<string, string>()
  for (let part = 0; part < 200; part++) {
    const { rows } = await sliceOf(page, '', Math.floor((all * part) / 200))
    for (const word of (rows[0]?.name ?? '').toLowerCase().split(/\s+/))
      if (/^[a-z0-9]{4,8}$/.test(word) && !words.has(word.slice(0, 2))) words.set(word.slice(0, 2), word)
  }
  return [...words.values()]
}

/**
 * To be queried in a program that is closed before typing, so that the measured program has nothing cached.
 */
export async function lettersOf(
  page: Page,
  words: readonly string[],
  method?: SliceMethod,
): Promise<readonly Word[]> {
  const { all } = await sliceOf(page, '', 0, method)
  const lists: Letter[][] = []
  for (const word of words) {
    const letters: Letter[] = []
    let before = all
    for (const [index, key] of [...word].entries()) {
      const { total, rows } = await sliceOf(page, word.slice(0, index + 1), 0, method)
      const first = rows[0]?.serialNumber ?? ''
      letters.push({ key, total: total === before ? '' : total.toLocaleString('en-GB'), first })
      before = total
    }
    lists.push(letters)
  }
  return lists
}

/** Milliseconds from the keystroke to the frame after the one whose page shows the rows of the letter. */
async function typeLetter(page: Page, { key, total, first }: Letter): Promise<number> {
  // Installed before the key is pressed, because a key press may overtake a script that was sent before it.
  await page.evaluate(
    ([expected, serial, place]) => {
      const painted = new Promise<number>((resolve, reject) => {
        let pressedAt = 0
        const giveUpAt = performance.now() + 20_000
        window.addEventListener('keydown', (event) => (pressedAt = event.timeStamp), {
          capture: true,
          once: true,
        })
        const shown = (): boolean =>
          (document.querySelector(place)?.textContent ?? '').trim().startsWith(`${expected} `) &&
          (expected === '0' ||
            [...document.querySelectorAll('[role=row][aria-rowindex="2"]')].some((row) =>
              row.textContent.includes(serial),
            ))
        const look = (): void => {
          if (performance.now() > giveUpAt) return reject(new Error(`"${expected}", ${serial}: not shown`))
          if (pressedAt > 0 && shown())
            return void requestAnimationFrame(() => resolve(performance.now() - pressedAt))
          requestAnimationFrame(look)
        }
        look()
      })
      Object.assign(window, { benchPainted: painted })
    },
    [total, first, shownTotal] as const,
  )
  await page.keyboard.press(key)
  return page.evaluate(() => (window as unknown as { benchPainted: Promise<number> }).benchPainted)
}

export const filterField = (page: Page) => page.getByRole('combobox').or(page.getByRole('searchbox')).first()

/**
 * Types the letters of a word that have a result and waits for each result; afterwards the filter is empty
 * again.
 */
export async function typeWord(page: Page, word: Word): Promise<readonly number[]> {
  const took: number[] = []
  await filterField(page).focus()
  for (const letter of word) {
    if (letter.total === '') await page.keyboard.press(letter.key)
    else took.push(await typeLetter(page, letter))
  }
  await page.keyboard.press('Control+Backspace')
  await page.waitForFunction(
    (place) => !/^[\d,]+ of /.test(document.querySelector(place)?.textContent ?? ''),
    shownTotal,
  )
  return took
}
