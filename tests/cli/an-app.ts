import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { takeKey } from '../../electron/adapters/environment-key.ts'
import { openHttpTransport } from '../../electron/adapters/http-transport.ts'
import { openNodePlatform } from '../../electron/adapters/node-platform.ts'
import { serveContract } from '../../electron/adapters/owner/contract-server.ts'
import { ownerWaits } from '../../electron/adapters/owner/limits.ts'
import { serveClients } from '../../electron/adapters/owner/owner-server.ts'
import { createCore } from '../../electron/core/app.ts'
import { ownDataFolder } from '../../electron/main/own-data-folder.ts'

// What the app's main process does with the data folder, without Electron. It prints events and executes
// commands from its input.
const [, , given = '{}'] = process.argv
const { home, service, waits, stopsWhenTaken } = JSON.parse(given) as {
  home: string
  service: never
  waits: object
  /** The process stops itself between taking the folder and listening for clients. */
  stopsWhenTaken?: true
}
const tell = (said: unknown): void => void writeSync(1, `${JSON.stringify(said)}\n`)
const own = { ...ownerWaits, ...waits }
const nowhere = (): Promise<never> => Promise.reject(new Error('not in this test'))
const taken = await ownDataFolder(home, own, (holder, isLong) => tell({ waits: holder, isLong }))
if (stopsWhenTaken === true) {
  tell({ stops: taken.kind })
  process.kill(process.pid, 'SIGSTOP')
}
const opening = createCore(
  openNodePlatform({
    home,
    workerUrl: new URL('../../electron/adapters/database-worker.ts', import.meta.url),
    transport: openHttpTransport(),
    demonstration: async () => service,
    desktop: {
      openOutside: nowhere,
      copy: nowhere,
      saveAs: nowhere,
      chooseFolder: nowhere,
      showFile: nowhere,
    },
    about: { version: '0.0.0', shell: 'none' },
    environment: {},
    downloadsFolder: () => home,
    dataFolder: taken.folder,
    keyFromEnvironment: takeKey(process.env),
  }),
)
let isClosing = false
const server =
  taken.kind === 'owned'
    ? await serveClients({
        place: taken.place,
        waits: own,
        name: 'the app',
        onClient: (client) =>
          serveContract(client, {
            core: opening,
            stays: true,
            wanted: null,
            onRebuilding: () => () => undefined,
            isClosing: () => isClosing,
          }),
        onTakenTwice: taken.takenTwice,
      })
    : null
const core = await opening
tell({ owns: taken.kind })

const actions: Readonly<Record<string, () => Promise<unknown>>> = {
  lock: async () => (await core.handlers.writes.lock()).unlocked,
  working: async () => server?.clients() ?? 0,
  status: async () => core.handlers.app.status(),
  jobs: async () => (await core.handlers.jobs.list({ start: 0, count: 10 })).jobs,
  screenLocks: async () => core.lockWrites('starting'),
  journal: async () =>
    (await core.handlers.journal.list({ where: '', subjectId: null, start: 0, count: 50 })).lines,
  'sync-on': async () => core.startSyncing(),
  sync: async () => (await core.handlers.sync.run()).complete,
  quit: async () => {
    isClosing = true
    await core.close()
    await server?.close()
    if (taken.kind === 'owned') taken.lock.release()
    setImmediate(() => process.exit(0))
    return 'gone'
  },
}
createInterface({ input: process.stdin }).on('line', (word) => {
  void actions[word]?.().then(
    (did) => tell({ did: did ?? null }),
    (error: unknown) => tell({ did: String(error) }),
  )
})
