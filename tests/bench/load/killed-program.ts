import { rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openHttpTransport } from '../../../electron/adapters/http-transport.ts'
import { takeKey } from '../../../electron/adapters/environment-key.ts'
import { openNodePlatform } from '../../../electron/adapters/node-platform.ts'
import { serveContract } from '../../../electron/adapters/owner/contract-server.ts'
import { openFolders } from '../../../electron/adapters/folders.ts'
import { ownerWaits } from '../../../electron/adapters/owner/limits.ts'
import { serveClients } from '../../../electron/adapters/owner/owner-server.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import { createCore } from '../../../electron/core/app.ts'
import { verifyKit } from '../../../electron/core/kits/kits.ts'
import { ownDataFolder } from '../../../electron/main/own-data-folder.ts'
import { clockAt } from '../../core/writes/fast-clock.ts'

// A whole program to be killed: it syncs continuously, serves clients and restarts rooms, each room once over all runs; with further
// works it restarts them again and again, and fetches a file or makes a kit meanwhile. It prints, one JSON document per line, what it
// found when it opened, and what begins and ends.
const [, , home = '', managementUrl = '', metadataUrl = '', round = '0', rooms = '8', ...works] = process.argv
const nowhere = (): Promise<never> => Promise.reject(new Error('not in this program'))
const tell = (said: object): void => void writeSync(1, `${JSON.stringify(said)}\n`)
const during = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
  tell({ said: 'begins', what })
  try {
    return await work()
  } finally {
    tell({ said: 'ends', what })
  }
}
/** A command beside it has the clock of the system. */
const clock = clockAt(Number(process.env['HEADROOM_CLOCK_SPEED'] ?? 20))
// The client of an earlier run may own the folder for a moment.
const taken = await during('hand-over', () => ownDataFolder(home, ownerWaits, () => undefined))
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

/** Again and again. On a busy machine a call may time out, because the clock is fast. */
async function forEver(work: () => Promise<void>): Promise<never> {
  for (;;)
    try {
      await work()
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      tell({ said: 'failed', kind: error.failure.kind })
      await wait(50)
    }
}
async function syncing(): Promise<void> {
  await during('sync', () => handlers.sync.run())
  tell({ said: 'synced' })
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
async function restartingAgain(): Promise<void> {
  await restarting()
  await wait(1_000)
}

/** Some megabytes. */
const product = { vendorId: 2830, productId: 9395 }
const beside = (name: string): string => join(home, '..', name)

async function fetching(): Promise<void> {
  for (const { id, state } of (await handlers.downloads.list()).downloads)
    if (state !== 'done' && state !== 'cancelled') await fetched(() => handlers.downloads.resume({ id }))
  await fetched(() =>
    handlers.downloads.start({
      ...product,
      version: 'latest',
      buildType: null,
      folder: beside('files'),
      acceptChanged: null,
      acceptRevoked: false,
    }),
  )
}
const fetched = (begin: () => Promise<{ readonly id: string }>): Promise<void> =>
  during('downloads', async () => {
    const { id } = await begin()
    for (;;) {
      const { state, failure, file } = await handlers.downloads.get({ id })
      if (state === 'done' || state === 'failed') {
        tell({ said: 'fetched', state, failure })
        return rmSync(join(beside('files'), file), { force: true })
      }
      await wait(20)
    }
  })

async function making(): Promise<void> {
  const folder = beside('kit')
  await during('kits', () =>
    handlers.kits.make({
      rooms: null,
      devices: null,
      products: [product],
      version: 'latest',
      folder,
      withPeople: false,
    }),
  )
  const task = { signal: new AbortController().signal, step: () => undefined }
  tell({
    said: 'kit',
    ...(await verifyKit(
      folder,
      openFolders(() => ''),
      task,
    )),
  })
  rmSync(folder, { recursive: true })
}

if (total === 0) {
  await handlers.sync.run()
  tell({ said: 'synced' })
}
await Promise.all([
  forEver(syncing),
  works.length === 0 ? restarting() : forEver(restartingAgain),
  ...(works.includes('downloads') ? [forEver(fetching)] : []),
  ...(works.includes('kits') ? [forEver(making)] : []),
])
