import { Failed } from '../../../electron/contract/failure.ts'
import type { Answers } from '../../../electron/contract/wire.ts'

const not = async (): Promise<never> => {
  throw new Failed({ kind: 'not-found', call: null, what: 'job' })
}

/** Jobs that can be planned, started, paused and watched. */
export function jobAnswers(): Pick<Answers, 'jobs'> {
  return {
    jobs: {
      plan: not,
      planned: not,
      start: not,
      list: async () => ({ jobs: [], total: 0, otherProgram: null }),
      get: not,
      items: not,
      pause: not,
      resume: not,
      cancel: not,
      retry: not,
      check: not,
    },
  }
}
