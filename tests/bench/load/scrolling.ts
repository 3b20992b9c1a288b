import type { Page } from 'playwright-core'
import { mainThreadTime, median, percentile, rounded } from './in-page.ts'

/** Notches of the wheel, one after the other, 120 px each. */
const notches = 150
/** Frames of a drag by 8 rows of 32 px a frame: a readable speed. */
const dragFrames = 200
const dragPixels = 8 * 32
/** Frames from the first row to the last: too fast to read. */
const flyByFrames = 200
/** One frame at 60 a second. */
const step = 1_000 / 60

/** One repetition, milliseconds. */
interface Scrolled {
  /** Time between the frames of the wheel. */
  readonly wheel: readonly number[]
  /** Frames of the wheel that showed texts, and all sampled ones. */
  readonly withText: number
  readonly looked: number
  /** Main-thread time of a frame while dragging. */
  readonly drag: number
  /** The longest frame from the first row to the last. */
  readonly flyBy: number
  /** Time from the last fast frame until texts are shown. */
  readonly restToText: number
}

interface Frames {
  readonly took: number[]
  withText: number
  looked: number
}

interface ScrollTools {
  middle(): { readonly x: number; readonly y: number }
  toTop(): Promise<void>
  watch(): void
  watched(): Promise<Frames>
  drag(frames: number, pixels: number): Promise<void>
  flyBy(frames: number): Promise<{ readonly longest: number; readonly restToText: number }>
}

declare global {
  interface Window {
    benchScroll: ScrollTools
  }
}

/** Injects a script into a page that scrolls its tallest list and inspects the list after each paint. */
const putTools = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const rowsOfAppOrPeer = '[role=row], #scroller > div'
    const hidden = (element: Element): number => element.scrollHeight - element.clientHeight
    const list = [...document.querySelectorAll('*')]
      .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowY))
      .reduce((tallest, element) => (hidden(element) > hidden(tallest) ? element : tallest))
    const box = list.getBoundingClientRect()
    const x = box.left + box.width / 2
    const hasText = (part: number): boolean => {
      const row = document.elementFromPoint(x, box.top + box.height * part)?.closest(rowsOfAppOrPeer)
      return (row?.textContent ?? '').trim() !== ''
    }
    /** What is currently painted at three places. */
    const showsText = (): boolean => [0.25, 0.5, 0.75].every(hasText)
    const frame = (): Promise<number> => new Promise((go) => requestAnimationFrame(go))
    /** Runs as a separate task after the frame was drawn. */
    const afterPaint = async (): Promise<number> => {
      const at = await frame()
      const { port1, port2 } = new MessageChannel()
      await new Promise((go) => {
        port1.onmessage = go
        port2.postMessage(null)
      })
      port1.close()
      return at
    }
    const textShown = async (): Promise<void> => {
      const giveUpAt = performance.now() + 10_000
      while (!showsText()) {
        if (performance.now() > giveUpAt) throw new Error('no row with a text is in sight')
        await afterPaint()
      }
    }
    let watching: { go: boolean; readonly over: Promise<Frames> } | null = null
    window.benchScroll = {
      middle: () => ({ x, y: box.top + box.height / 2 }),
      async toTop() {
        list.scrollTop = 0
        await afterPaint()
        await textShown()
      },
      watch() {
        const mine = { go: true, over: Promise.resolve<Frames>({ took: [], withText: 0, looked: 0 }) }
        mine.over = (async () => {
          const seen: Frames = { took: [], withText: 0, looked: 0 }
          let before = await frame()
          while (mine.go) {
            const at = await afterPaint()
            seen.took.push(at - before)
            before = at
            seen.looked += 1
            if (showsText()) seen.withText += 1
          }
          return seen
        })()
        watching = mine
      },
      async watched() {
        if (watching === null) throw new Error('nothing is watched')
        watching.go = false
        return watching.over
      },
      async drag(frames, pixels) {
        let way = pixels
        for (let n = 0; n < frames; n++) {
          await frame()
          const before = list.scrollTop
          list.scrollTop += way
          if (list.scrollTop === before) way = -way
        }
        await afterPaint()
      },
      async flyBy(frames) {
        let before = await frame()
        let longest = 0
        for (let n = 1; n <= frames; n++) {
          list.scrollTop = (hidden(list) * n) / frames
          const at = await frame()
          longest = Math.max(longest, at - before)
          before = at
        }
        const restedAt = performance.now()
        await afterPaint()
        await textShown()
        return { longest, restToText: performance.now() - restedAt }
      },
    }
  })

async function scrollOnce(page: Page): Promise<Scrolled> {
  await page.bringToFront()
  await page.evaluate(() => window.benchScroll.toTop())
  const { x, y } = await page.evaluate(() => window.benchScroll.middle())
  await page.mouse.move(x, y)
  await page.evaluate(() => window.benchScroll.watch())
  for (let notch = 0; notch < notches; notch++) await page.mouse.wheel(0, 120)
  const { took, withText, looked } = await page.evaluate(() => window.benchScroll.watched())
  await page.evaluate(() => window.benchScroll.toTop())
  const time = await mainThreadTime(page)
  const before = await time.read()
  await page.evaluate(([frames, pixels]) => window.benchScroll.drag(frames, pixels), [
    dragFrames,
    dragPixels,
  ] as const)
  const drag = ((await time.read()) - before) / dragFrames
  await time.end()
  await page.evaluate(() => window.benchScroll.toTop())
  const { longest, restToText } = await page.evaluate(
    (frames) => window.benchScroll.flyBy(frames),
    flyByFrames,
  )
  return { wheel: took, withText, looked, drag, flyBy: longest, restToText }
}

/** V3 of one list: milliseconds, per cent and ratios. `peer_`: the plain list with the same number of rows, scrolled in turn with it. */
export interface ListFigures {
  readonly wheel_p95: number
  readonly peer_wheel_p95: number
  /** Frames of 16.7 ms by which the list's wheel_p95 exceeds the peer's. */
  readonly wheel_steps: number
  /** Per cent of the wheel's frames that show texts. */
  readonly wheel_text: number
  /** Main-thread time of a dragged frame. */
  readonly drag_ms: number
  readonly peer_drag_ms: number
  /** Median over the repetitions. */
  readonly drag_ratio: number
  readonly flyby_max: number
  readonly peer_flyby_max: number
  readonly rest_to_text: number
  readonly peer_rest_to_text: number
}

/** The tallest list of each page in turn, this many times. */
export async function scrollInTurn(app: Page, peer: Page, repetitions: number): Promise<ListFigures> {
  await putTools(app)
  await putTools(peer)
  const [ours, theirs]: [Scrolled[], Scrolled[]] = [[], []]
  for (let repetition = 0; repetition < repetitions; repetition++) {
    ours.push(await scrollOnce(app))
    theirs.push(await scrollOnce(peer))
  }
  const p95 = (all: readonly Scrolled[]): number =>
    percentile(
      all.flatMap(({ wheel }) => wheel),
      0.95,
    )
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  const most = (values: readonly number[]): number => rounded(Math.max(...values))
  return {
    wheel_p95: rounded(p95(ours)),
    peer_wheel_p95: rounded(p95(theirs)),
    wheel_steps: Math.round((p95(ours) - p95(theirs)) / step),
    wheel_text: rounded((100 * sum(ours.map((one) => one.withText))) / sum(ours.map((one) => one.looked))),
    drag_ms: rounded(median(ours.map((one) => one.drag)), 2),
    peer_drag_ms: rounded(median(theirs.map((one) => one.drag)), 2),
    drag_ratio: rounded(median(ours.map((one, index) => one.drag / (theirs[index]?.drag ?? Number.NaN))), 2),
    flyby_max: most(ours.map((one) => one.flyBy)),
    peer_flyby_max: most(theirs.map((one) => one.flyBy)),
    rest_to_text: most(ours.map((one) => one.restToText)),
    peer_rest_to_text: most(theirs.map((one) => one.restToText)),
  }
}
