import type { Page } from 'playwright-core'

/** Makes the page record how long each keystroke waits for it, in milliseconds. */
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

/** Main-thread time of the page so far, milliseconds; only differences are meaningful. */
export async function mainThreadTime(page: Page): Promise<{ read(): Promise<number>; end(): Promise<void> }> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  return {
    read: async () => {
      const { metrics } = (await session.send('Performance.getMetrics')) as {
        metrics: readonly { readonly name: string; readonly value: number }[]
      }
      return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
    },
    end: () => session.detach(),
  }
}

/** The size after garbage collection. */
export async function heapInMegabytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number }
  await session.detach()
  return usedSize / 1024 ** 2
}

export const percentile = (values: readonly number[], part: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
export const median = (values: readonly number[]): number => percentile(values, 0.5)
export const rounded = (value: number, digits = 1): number => Math.round(value * 10 ** digits) / 10 ** digits
