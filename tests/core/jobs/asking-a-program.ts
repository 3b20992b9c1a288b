import { Failed } from '../../../electron/contract/failure.ts'
import type { Job } from '../../../electron/contract/api/jobs.ts'
import { call, type AProgram } from './a-bench.ts'

/** The counts of a job of which no item has ended. */
export const nobody = { done: 0, failed: 0, 'not-found': 0, 'not-supported': 0, unknown: 0 }

/** The state of a job. */
export const statusOf = async (
  of: AProgram,
  id: string,
): Promise<Pick<Job, 'state' | 'waitsFor' | 'counts' | 'underWay'>> => {
  const { state, waitsFor, counts, underWay } = await of.jobs.get(id)
  return { state, waitsFor, counts, underWay }
}
/** A service that responds on demand. */
export const slow = (): {
  readonly send: AProgram['send']
  readonly answer: (count?: number) => void
  readonly waiting: () => number
} => {
  const open: (() => void)[] = []
  return {
    send: async (_item, signal, beforeDispatch) => {
      await beforeDispatch()
      return new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () =>
          reject(new Failed({ kind: 'unconfirmed', call, message: 'cut' })),
        )
        open.push(() => resolve({ status: 200 }))
      })
    },
    answer: (count = open.length) => {
      for (const one of open.splice(0, count)) one()
    },
    waiting: () => open.length,
  }
}
