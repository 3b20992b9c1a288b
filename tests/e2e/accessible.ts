import { expect, type CDPSession, type Page } from '@playwright/test'
import { accessibleTree } from './accessible-tree.ts'
import { foundBy } from './axe.ts'

/** The inner size and device pixel ratio of a window of 1280×720 at `zoom`. */
const sizeAt = (zoom: number): readonly number[] => [1280 / zoom, 720 / zoom, zoom]

/** A window of 1280×720 at `zoom`, as with Ctrl+Plus: fewer CSS pixels, drawn larger. */
async function zoomTo(session: CDPSession, page: Page, zoom: number): Promise<void> {
  await session.send('Emulation.setDeviceMetricsOverride', {
    width: 1280 / zoom,
    height: 720 / zoom,
    deviceScaleFactor: zoom,
    mobile: false,
  })
  await expect
    .poll(() => page.evaluate(() => [innerWidth, innerHeight, devicePixelRatio]))
    .toEqual(sizeAt(zoom))
  // The rules of media queries follow in a frame, of which one may be under way with the size before: after the second they hold.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}

/**
 * The problems of a page at this size: it scrolls horizontally, or a control cannot be scrolled into view. Playwright's own session sets
 * the size of the page too, for a picture among others, and the last one that set it wins: the size is read with the positions.
 */
const lost = (page: Page, within: string, zoom: number): Promise<string[]> =>
  page.evaluate(
    ([selector, size]) => {
      const wrong: string[] = []
      const found = [innerWidth, innerHeight, devicePixelRatio].join(' ')
      if (found !== size) wrong.push(`the size is ${found} instead of ${size}`)
      const root = document.scrollingElement!
      if (root.scrollWidth > root.clientWidth) wrong.push(`the page is ${root.scrollWidth} wide`)
      const places = [...document.querySelectorAll<HTMLElement>(selector)]
      // From the top, as when it is opened: on the way back up, fixed tabs would cover controls.
      for (const place of places) place.scrollTop = 0
      const controls = places.flatMap((place) => [
        ...place.querySelectorAll<HTMLElement>(
          'button, a[href], input, select, textarea, [role="tab"], [role="menuitem"]',
        ),
      ])
      for (const control of controls) {
        if (
          control.closest('[inert], .visually-hidden') ||
          control.classList.contains('visually-hidden') ||
          !control.checkVisibility({ visibilityProperty: true })
        )
          continue
        control.scrollIntoView({ block: 'nearest', inline: 'nearest' })
        const { left, top, width, height } = control.getBoundingClientRect()
        const hit = document.elementFromPoint(left + width / 2, top + height / 2)
        if (
          hit === null ||
          !(control.contains(hit) || hit.contains(control) || hit.closest('label')?.control === control)
        )
          wrong.push(
            `${control.ariaLabel ?? control.textContent.trim()} at ${Math.round(left)},${Math.round(top)} ${hit ? `under ${hit.tagName}.${hit.className}` : 'out of sight'}`,
          )
      }
      return wrong
    },
    [within, sizeAt(zoom).join(' ')] as const,
  )

const moving = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const longest = (times: string): number =>
      Math.max(...times.split(',').map((time) => parseFloat(time) * (time.trim().endsWith('ms') ? 1 : 1000)))
    return [...document.querySelectorAll('*')].flatMap((element) =>
      [null, '::before', '::after'].flatMap((pseudo) => {
        const { animationName, animationDuration, transitionDuration } = getComputedStyle(element, pseudo)
        const lasts = Math.max(
          animationName === 'none' ? 0 : longest(animationDuration),
          longest(transitionDuration),
        )
        return lasts > 1 ? [`${element.tagName}.${element.className}${pseudo ?? ''} ${lasts} ms`] : []
      }),
    )
  })

/** Marks that only a background shows, and that a contrast theme of the system would take away. */
const fading = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isClear = (colour: string): boolean => /, 0\)$/.test(colour)
    const found = [...document.querySelectorAll('main *, nav *, footer *')].flatMap((element) => {
      const { width, height } = element.getBoundingClientRect()
      const isMark = element.childElementCount === 0 && element.textContent === ''
      if (!isMark || width * height === 0 || width * height > 6_000) return []
      return [null, '::before', '::after'].flatMap((pseudo) => {
        const { content, backgroundColor, borderTopStyle, forcedColorAdjust } = getComputedStyle(
          element,
          pseudo,
        )
        const around = getComputedStyle(pseudo === null ? element.parentElement! : element).backgroundColor
        return (pseudo === null || content !== 'none') &&
          !isClear(backgroundColor) &&
          backgroundColor !== around &&
          borderTopStyle === 'none' &&
          forcedColorAdjust !== 'none'
          ? [`${element.tagName}.${element.className}${pseudo ?? ''}`]
          : []
      })
    })
    return [...new Set(found)]
  })

/** A walk through states of a page that asks every question about accessibility in each of them. */
export interface Walk {
  /** What of these parts is lost in a window of 1280×720 at this zoom. */
  lostAt(zoom: 1 | 2, within: string): Promise<string[]>
  /** What has an animation or a transition longer than a millisecond. */
  moving(): Promise<string[]>
  /**
   * Opens a state at 200 % zoom and expects that nothing is wrong with it: every control within `reach` can be reached at both
   * sizes, axe finds nothing in both themes, no mark fades in a contrast theme of the system, every control has a name, which is unique in its toolbar, and nothing moves
   * although reduced motion is requested. `state` names it in a failure message.
   */
  stop<T>(state: string, reach: string, open: () => Promise<T>): Promise<T>
  end(): Promise<void>
}

export async function beginWalk(page: Page): Promise<Walk> {
  const session = await page.context().newCDPSession(page)
  const tree = await accessibleTree(page)
  // Changes durations and nothing else, so the other questions are asked in it too.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const lostAt = async (zoom: 1 | 2, within: string): Promise<string[]> => {
    await zoomTo(session, page, zoom)
    return lost(page, within, zoom)
  }
  return {
    lostAt,
    moving: () => moving(page),
    stop: async (state, reach, open) => {
      await zoomTo(session, page, 2)
      const opened = await open()
      const lostAt200 = await lostAt(2, reach)
      const lostAt100 = await lostAt(1, reach)
      await expect
        .poll(async () => [state, 'nameless', await tree.nameless()])
        .toEqual([state, 'nameless', []])
      const found = {
        state,
        lostAt200,
        lostAt100,
        shared: await tree.shared('main .header, main .toolbar'),
        moving: await moving(page),
        fading: await fading(page),
        ...(await foundBy(page)),
      }
      expect(found).toEqual({
        state,
        lostAt200: [],
        lostAt100: [],
        shared: [],
        moving: [],
        fading: [],
        light: [],
        dark: [],
      })
      return opened
    },
    end: async () => {
      await page.emulateMedia({ reducedMotion: null })
      await tree.close()
      // The size belongs to the session, so it is restored for the next test.
      await session.detach()
    },
  }
}
