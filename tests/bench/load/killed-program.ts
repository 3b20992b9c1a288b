import { writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { openHttpTransport } from '../../../electron/adapters/http-transport.ts'
import { takeKey } from '../../../electron/adapters/environment-key.ts'
import { openNodePlatform } from '../../../electron/adapters/node-platform.ts'
import { serveContract } from '../../../electron/adapters/owner/contract-server.ts'
import { takeDataFolder } from '../../../electron/adapters/owner/data-folder.ts'
import { ownerWaits } from '../../../electron/adapters/owner/limits.ts'
import { serveClients } from '../../../electron/adapters/owner/owner-server.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import { createCore } from '../../../electron/core/app.ts'
import { clockAt } from '../../core/writes/fast-clock.ts'

// A whole program to be killed: it syncs continuously, serves clients and restarts rooms, each room once over all runs. It prints, one JSON
// document per line, what it found when it opened.
const [, , home = '', managementUrl = '', metadataUrl = '', round = '0', rooms = '8'] = process.argv
const nowhere = (): Promise<never> => Promise.reject(new Error('not in this benchmark'))
const tell = (said: object): void => void writeSync(1, `${JSON.stringify(said)}\n`)
const clock = clockAt(20)
let taken = await takeDataFolder(home, ownerWaits)
// The client of an earlier run may own the folder for a moment.
for (; taken.kind === 'taken'; taken = await takeDataFolder(home, ownerWaits)) await wait(20)
if (taken.kind !== 'owned') throw new Error('the data folder is not free')
const nodePlatform = openNodePlatform({
  home,
  workerUrl: new URL('../../../electron/adapters/database-worker.ts', import.meta.url),
  transport: openHttpTransport(),
  demonstration: nowhere,
  desktop: { openOutside: nowhere, copy: nowhere, saveAs: nowhere, chooseFolder: nowhere, showFile: nowhere },
  about: { version: '0.0.0', shell: 'none' },
  environment: {},
  dataFolder: taken.folder,
  keyFromEnvironment: takeKey(process.env),
})
const core = createCore({ ...nodePlatform, clock })
await serveClients({
  place: taken.place,
  waits: ownerWaits,
  name: 'the program that is killed',
  onClient: (connection) =>
    serveContract(connection, {
      core,
      stays: true,
      wanted: null,
      onRebuilding: () => () => undefined,
      isClosing: () => false,
    }),
  onTakenTwice: taken.takenTwice,
})
const { handlers, shared } = await core
const { presets, organizations } = await handlers.organizations.list()
const custom = presets.find((preset) => preset.name === 'custom')?.draft
if (custom === undefined) throw new Error('no custom preset')
if (organizations.length === 0)
  await handlers.organizations.add({ ...custom, name: 'Killed', managementUrl, metadataUrl })
const { total } = await handlers.devices.slice({
  where: '',
  sort: [{ column: 'name', descending: false }],
  start: 0,
  count: 1,
})
/** The last room of this run's page is the one that the client restarts. */
const { rows } = await handlers.rooms.list({
  where: '',
  sort: [{ column: 'name', descending: false }],
  start: Number(round) * Number(rooms),
  count: Number(rooms),
})
const ids = rows.map(({ id }) => id)
tell({
  said: 'opened',
  clientRoom: ids.at(-1) ?? null,
  devices: total,
  problems: shared.store.problems(),
  rebuilt: shared.store.rebuilt,
})

async function syncing(): Promise<never> {
  for (;;) {
    await handlers.sync.run()
    tell({ said: 'synced' })
  }
}

/** The job may have ended at opening, if the journal had a line for every room. */
const endedMeanwhile = (error: unknown): void => {
  if (!(error instanceof Failed) || error.failure.kind !== 'invalid') throw error
}

/** Resumes interrupted jobs, and restarts rooms that no earlier run requested. */
async function restarting(): Promise<void> {
  const { jobs } = await handlers.jobs.list({ start: 0, count: 200 })
  for (const { id, state } of jobs)
    if (state === 'paused') await handlers.jobs.resume({ id, unlock: true }).catch(endedMeanwhile)
  const work = {
    kind: 'reboot-rooms' as const,
    of: 'rooms' as const,
    selection: { kind: 'picked' as const, ids: ids.slice(0, -1) },
  }
  const plan = await handlers.jobs.plan({
    work,
    startAt: null,
    window: null,
    keepTrying: false,
    canary: false,
  })
  if (plan.items > 0) await handlers.jobs.start({ plan: plan.id, unlock: true, typed: plan.typeNumber })
  tell({ said: 'restarting', rooms: plan.items })
}

if (total === 0) {
  await handlers.sync.run()
  tell({ said: 'synced' })
}
await Promise.all([syncing(), restarting()])
