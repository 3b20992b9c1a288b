import { setTimeout as wait } from 'node:timers/promises'
import { takeDataFolder, type Taking } from '../adapters/owner/data-folder.ts'
import type { OwnerWaits } from '../adapters/owner/limits.ts'
import { connectToOwner, NoOwner, ownerNamed } from '../adapters/owner/owner-client.ts'
import type { OwnerPlace } from '../adapters/owner/place.ts'

/** The owner of the folder, if it has identified itself, and whether the wait is long enough to show more. */
export type TellHolder = (holder: string | null, isLong: boolean) => void

/** Interval for contacting an owner that has just started or ended. Lower it if a hand-over feels slow. */
const lookAgainInMs = 50

/**
 * Requests the data folder from its owner until it is handed over. Nothing is read meanwhile. If the folder
 * cannot be owned, it is opened read-only.
 */
export async function ownDataFolder(
  home: string,
  waits: OwnerWaits,
  tell: TellHolder,
): Promise<Exclude<Taking, { kind: 'taken' }>> {
  const since = performance.now()
  for (;;) {
    const taking = await takeDataFolder(home, waits)
    if (taking.kind !== 'taken') return taking
    const waitedForMs = performance.now() - since
    if (waitedForMs > lookAgainInMs) tell(ownerNamed(taking.place), waitedForMs >= waits.handOverInMs)
    await wait((await mayBeFree(taking.place, waits)) ? lookAgainInMs : waits.tryAgainInMs)
  }
}

/**
 * Requests it and waits until the owner releases it; false: it does not, or not within the time after which
 * the request is repeated.
 */
async function mayBeFree(place: OwnerPlace, waits: OwnerWaits): Promise<boolean> {
  try {
    const owner = await connectToOwner(place, waits)
    return await new Promise<boolean>((resolve) => {
      const over = (isFree: boolean): void => {
        clearTimeout(late)
        owner.destroy()
        resolve(isFree)
      }
      const late = setTimeout(() => over(true), waits.tryAgainInMs)
      owner.onLost((how) => over(how === 'gone'))
      owner.onMessage(({ kind }) => {
        if (kind === 'kept') over(false)
      })
      owner.say({ kind: 'hand-over' })
    })
  } catch (error) {
    if (!(error instanceof NoOwner)) throw error
    return error.reason === 'none'
  }
}
