import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { takeDataFolder, type Taking } from '../../../electron/adapters/owner/data-folder.ts'
import { ownerWaits } from '../../../electron/adapters/owner/limits.ts'
import { connectToOwner, NoOwner } from '../../../electron/adapters/owner/owner-client.ts'
import { serveClients, type OwnerServer } from '../../../electron/adapters/owner/owner-server.ts'
import { openDatabases } from '../../../electron/adapters/database.ts'
import type { Core } from '../../../electron/core/app.ts'
import { openWorkbook } from '../../../electron/core/storage/workbook.ts'
import { systemClock } from '../../../electron/adapters/clock.ts'

// A program that tries to own a data folder, once per input line, and prints one line for each.
const [, , home = '', waits = '{}'] = process.argv
const tell = (word: string): void => void writeSync(1, `${word}\n`)
const own = { ...ownerWaits, ...(JSON.parse(waits) as Partial<typeof ownerWaits>) }
let taken: Taking | null = null
let server: OwnerServer | null = null
const databases = openDatabases({
  folder: home,
  workerUrl: new URL('../../../electron/adapters/database-worker.ts', import.meta.url),
})

const nowhere = { managementUrl: 'http://127.0.0.1:1', metadataUrl: 'http://127.0.0.1:1' }
/** All file operations of opening and closing: migrations, self-checks, close marks, moving logs. */
async function aCore(): Promise<Core> {
  // Few holders open a core, and it is most of what there is to load.
  const { createCore } = await import('../../../electron/core/app.ts')
  const { fakePlatform } = await import('../../fake-platform.ts')
  return createCore(fakePlatform({ folder: home, databases }))
}

const actions: Readonly<Record<string, () => Promise<string>>> = {
  take: async () => {
    taken = await takeDataFolder(home, own)
    if (taken.kind !== 'owned') return taken.kind
    server = await serveClients({
      place: taken.place,
      waits: own,
      onTakenTwice: taken.takenTwice,
      name: `holder ${process.pid}`,
      onClient: (connection) => connection.onMessage((message) => void connection.say({ heard: message })),
    })
    return 'owned'
  },
  problem: async () =>
    taken === null || taken.kind === 'taken' ? 'none' : (taken.folder.problem()?.reason ?? 'none'),
  release: async () => {
    await server?.close()
    if (taken?.kind === 'owned') taken.lock.release()
    return 'released'
  },
  ask: async () => {
    if (taken?.kind !== 'taken') return 'not taken'
    try {
      const owner = await connectToOwner(taken.place, own)
      return await new Promise<string>((resolve) => {
        owner.onLost((how) => resolve(how))
        owner.onMessage(() => {
          resolve(owner.name)
          owner.end()
        })
        owner.say({ hello: true })
      })
    } catch (error) {
      return error instanceof NoOwner ? error.reason : String(error)
    }
  },
  // Acts as a file system with broken locks: closing any handle of a file ends the process's locks on it.
  loseLock: async () => {
    closeSync(openSync(join(home, 'owner.sqlite'), 'r'))
    return 'lost'
  },
  // What a program does with its files while it owns the folder.
  create: async () => {
    const workbook = await openWorkbook({
      clock: systemClock,
      databases,
      log: { write: () => undefined },
    })
    await workbook.close()
    return 'create'
  },
  check: async () => {
    const database = await databases.open('store')
    await database.close()
    return 'check'
  },
  core: async () => {
    await (await aCore()).close()
    return 'core'
  },
  forget: async () => {
    const core = await aCore()
    const { presets } = await core.handlers.organizations.list()
    const draft = presets.find(({ name }) => name === 'custom')!.draft
    const { id } = await core.handlers.organizations.add({ ...draft, ...nowhere, name: 'Nordlys' })
    await core.handlers.organizations.remove({ id })
    await core.close()
    return 'forget'
  },
  setAside: () => databases.setAside('store', 'damaged', Date.now()).then(() => 'setAside'),
}

createInterface({ input: process.stdin }).on('line', (word) => {
  void actions[word]?.().then(tell, (error: unknown) => tell(String(error)))
})
tell('ready')
