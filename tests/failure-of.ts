import { Failed } from '../electron/contract/failure.ts'

/** The failure of the work; another error as it was thrown. */
export async function failureOf(work: Promise<unknown> | (() => unknown)): Promise<unknown> {
  try {
    await (typeof work === 'function' ? work() : work)
    return 'no failure'
  } catch (error) {
    return error instanceof Failed ? error.failure : error
  }
}
