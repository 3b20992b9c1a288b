import { join } from 'node:path'
import type { Program } from './program.ts'

/** The switch with which the shell can delay a response. */
export const holding = ['-r', join(import.meta.dirname, 'held-answers.cjs')] as const

/** What held-answers.cjs provides in the main process. */
interface Holding {
  holdAnswer(method: string, part: string): void
  readonly heldAnswer: { readonly taken: Promise<void>; release(): void }
}

export interface HeldAnswer {
  /** Settles when the response is ready and delayed. */
  taken(): Promise<void>
  /** Releases the response, and settles when the page has received it and drawn its effect. */
  release(): Promise<void>
}

/** Delays the program's next response of this method to an argument that, as JSON, contains `part`. */
export async function holdAnswer({ app, page }: Program, method: string, part = ''): Promise<HeldAnswer> {
  await app.evaluate((_, words) => (globalThis as unknown as Holding).holdAnswer(...words), [
    method,
    part,
  ] as const)
  return {
    taken: () => app.evaluate(() => (globalThis as unknown as Holding).heldAnswer.taken),
    release: async () => {
      await app.evaluate(() => (globalThis as unknown as Holding).heldAnswer.release())
      // Responses arrive in order: when this one has arrived, the delayed one has too.
      await page.evaluate(async () => {
        await window.headroom?.call('app.about', undefined)
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
      })
    },
  }
}
