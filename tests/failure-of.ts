import { Failed } from '../electron/contract/failure.ts'

/** The failure of the work, null if it does not fail; another error as it was thrown. */
export async function failureOf(work: Promise<unknown> | (() => unknown)): Promise<unknown> {
  try {
    await (typeof work === 'function' ? work() : work)
    return null
  } catch (error) {
    return error instanceof Failed ? error.failure : error
  }
}
