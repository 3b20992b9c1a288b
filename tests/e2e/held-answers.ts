import { join } from 'node:path'
import type { Program } from './program.ts'

/** What makes the shell able to hold an answer. */
export const holding = ['-r', join(import.meta.dirname, 'held-answers.cjs')] as const

/** What held-answers.cjs leaves in the main process. */
interface Holding {
  holdAnswer(method: string, part: string): void
  readonly heldAnswer: { readonly taken: Promise<void>; release(): void }
}

export interface HeldAnswer {
  /** Settles when the answer is there and kept back. */
  taken(): Promise<void>
  /** Lets the answer go, and settles when the page has it and has drawn what follows from it. */
  release(): Promise<void>
}

/** Keeps back the program's next answer of this method to an argument that, as JSON, holds `part`. */
export async function holdAnswer({ app, page }: Program, method: string, part = ''): Promise<HeldAnswer> {
  await app.evaluate((_, words) => (globalThis as unknown as Holding).holdAnswer(...words), [
    method,
    part,
  ] as const)
  return {
    taken: () => app.evaluate(() => (globalThis as unknown as Holding).heldAnswer.taken),
    release: async () => {
      await app.evaluate(() => (globalThis as unknown as Holding).heldAnswer.release())
      // Answers come in their order: behind this one, the held one has come.
      await page.evaluate(async () => {
        await window.headroom?.call('app.about', undefined)
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
      })
    },
  }
}
