import { openHttpTransport } from '../../../electron/adapters/http-transport.ts'
import { takeKey } from '../../../electron/adapters/environment-key.ts'
import { openNodePlatform } from '../../../electron/adapters/node-platform.ts'
import { serveContract } from '../../../electron/adapters/owner/contract-server.ts'
import { takeDataFolder } from '../../../electron/adapters/owner/data-folder.ts'
import { ownerWaits } from '../../../electron/adapters/owner/limits.ts'
import { serveClients } from '../../../electron/adapters/owner/owner-server.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import { belowPublished } from '../../../electron/core/call-budget/call-budget.ts'
import { createCore } from '../../../electron/core/app.ts'
import { openManagement } from '../../../electron/core/management/management.ts'

/**
 * The owner of the data folder in HEADROOM_HOME, with a service of small windows: makes this many calls at once, serves clients until its
 * input ends, and prints how each kind ended.
 */
const nowhere = (): Promise<never> => Promise.reject(new Error('not in this test'))
const calls = Number(process.argv[2])
const home = process.env['HEADROOM_HOME'] ?? ''
const taken = await takeDataFolder(home, ownerWaits)
if (taken.kind !== 'owned') throw new Error('the data folder is not free')
const platform = openNodePlatform({
  home,
  workerUrl: new URL('../../../electron/adapters/database-worker.ts', import.meta.url),
  transport: openHttpTransport(),
  demonstration: nowhere,
  desktop: { openOutside: nowhere, copy: nowhere, saveAs: nowhere, chooseFolder: nowhere, showFile: nowhere },
  about: { version: '0.0.0', shell: 'none' },
  environment: process.env,
  dataFolder: taken.folder,
  keyFromEnvironment: takeKey(process.env),
})
const limits = belowPublished({ perSecond: 20, perWindow: 300, windowInMs: 30_000 })
const opened = await createCore(platform, { organization: null, limits })
// The first call, with no calls to make, adds the organization that the programs share.
if (calls === 0) {
  const custom = (await opened.handlers.organizations.list()).presets.find(
    (preset) => preset.name === 'custom',
  )
  if (custom === undefined) throw new Error('no custom preset')
  const addresses = {
    managementUrl: process.env['BENCH_MANAGEMENT'] ?? '',
    metadataUrl: process.env['BENCH_METADATA'] ?? '',
  }
  await opened.handlers.organizations.add({ ...custom.draft, name: 'Bench', ...addresses })
}
const server = await serveClients({
  place: taken.place,
  waits: ownerWaits,
  name: 'the bench',
  onTakenTwice: taken.takenTwice,
  onClient: (connection) =>
    serveContract(connection, {
      core: Promise.resolve(opened),
      stays: true,
      wanted: null,
      onRebuilding: () => () => undefined,
      isClosing: () => false,
    }),
})
process.stderr.write('serves\n')
const session = await opened.sessions.current()
const management = openManagement(session.managementClient, {
  managementVersion: session.organization.managementVersion,
})
const ended: Record<string, number> = {}
await Promise.all(
  Array.from({ length: calls }, async () => {
    const how = await management
      .devicePage({ stream: 'MeetingRoom', token: null, pageSize: 1, lane: 'bulk', signal: null })
      .then(
        () => 'done',
        (error: unknown) => (error instanceof Failed ? error.failure.kind : String(error)),
      )
    ended[how] = (ended[how] ?? 0) + 1
  }),
)
for await (const _ of process.stdin);
process.stdout.write(JSON.stringify(ended))
await server.close()
await opened.close()
