import { setTimeout as wait } from 'node:timers/promises'
import { takeDataFolder, type Taking } from '../adapters/owner/data-folder.ts'
import type { OwnerWaits } from '../adapters/owner/limits.ts'
import { connectToOwner, NoOwner, ownerNamed } from '../adapters/owner/owner-client.ts'
import type { OwnerPlace } from '../adapters/owner/place.ts'

/** Who holds the folder, as far as it says so, and whether it was waited for so long that more is to be said. */
export type TellHolder = (holder: string | null, isLong: boolean) => void

/** An owner that has just begun or ended is asked again so soon. Chosen. */
const lookAgainInMs = 50

/** Asks whoever has the data folder to hand it over until it does. Nothing is read past an owner. Where nobody can own the folder it is looked at. */
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

/** Asks for it and waits until whoever has it lets go; false: it does not, or not within the time after which it is asked again. */
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
