import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import packageJson from '../../package.json' with { type: 'json' }
import { systemClock } from '../adapters/clock.ts'
import { openHttpTransport } from '../adapters/http-transport.ts'
import { isUsualFolder } from '../adapters/home-folder.ts'
import { openKeychain } from '../adapters/keychain.ts'
import { logFolder } from '../adapters/log-folder.ts'
import { newerVersionSource } from '../adapters/newer-version-source.ts'
import { openNodePlatform, type NodePlatformDeps } from '../adapters/node-platform.ts'
import { OwnerLost } from '../adapters/owner/contract-client.ts'
import { serveContract, standsAfterClosing } from '../adapters/owner/contract-server.ts'
import { folderFailure, takeDataFolder, type Taking } from '../adapters/owner/data-folder.ts'
import type { OwnerWaits } from '../adapters/owner/limits.ts'
import { ownerNamed } from '../adapters/owner/owner-client.ts'
import { serveClients, type OwnerServer } from '../adapters/owner/owner-server.ts'
import { openProxySignIns } from '../adapters/proxy-sign-ins.ts'
import { proxiesOf } from '../adapters/proxies.ts'
import { removeEverything, removeLock, type Removed } from '../adapters/remove-everything.ts'
import { outputOf, registryProgram } from '../adapters/system-program.ts'
import { openSystemProxies } from '../adapters/system-proxy.ts'
import { Failed, type Outcome } from '../contract/failure.ts'
import type { Progress } from '../contract/progress.ts'
import { createCore, type Core } from '../core/app.ts'
import { Listeners } from '../core/listeners.ts'
import type { DataFolder } from '../core/platform.ts'
import type { Link } from './core-client.ts'
import { sentence } from './texts.ts'

export { csvWriter } from '../core/exports/exports.ts'
export { verifyKit } from '../core/kits/kits.ts'
export { readPolicy } from '../core/policy/policy.ts'
export { checkInTime, readPayload } from '../core/webhooks/webhooks.ts'

type CoreDeps = Pick<
  NodePlatformDeps,
  'home' | 'workerUrl' | 'demonstration' | 'keyFromEnvironment' | 'policySource'
>

interface Given {
  readonly deps: CoreDeps
  readonly say: (line: string) => void
  readonly organization: string | null
  readonly onEvent: (event: string, payload: unknown) => void
}

/** How a command that has printed may still end when its core is about to close. Raise it if output is cut off. */
const printsForInMs = 10_000
/** Interval of looking whether clients have gone. Lower it if a command ends too late. */
const lookAgainInMs = 50

/** The core of this process, which owns the data folder and serves other clients meanwhile. */
export async function openOwnCore(
  { place, lock, folder, takenTwice }: Extract<Taking, { readonly kind: 'owned' }>,
  given: Given,
  {
    waits,
    name,
    printing,
  }: {
    readonly waits: OwnerWaits
    /** For people. */
    readonly name: string
    /** The end of a command that has printed a part of its output; null: it may be interrupted. */
    readonly printing: () => Promise<unknown> | null
  },
): Promise<Link> {
  const wanted = Promise.withResolvers<void>()
  const rebuilding = new Listeners<[Progress]>()
  rebuilding.add((progress) => given.onEvent('app.rebuilding', progress))
  const opening = openCore(given, folder, rebuilding.notify)
  // Its failure is read below: until then it is nobody's, and would end the program as an error of its own.
  opening.catch(() => undefined)
  let server: OwnerServer | null = null
  let released: Promise<void> | null = null
  let isClosing = false
  const release = (): Promise<void> =>
    (released ??= (async () => {
      isClosing = true
      await (await opening.catch(() => null))?.close()
      // Close the socket first: after the lock is released, it may be the socket of the next owner.
      await server?.close()
      lock.release()
    })())
  const lost = new OwnerLost('handed-over', name)
  try {
    server = await serveClients({
      place,
      waits,
      name,
      onClient: (client) =>
        serveContract(client, {
          core: opening,
          stays: false,
          wanted: wanted.resolve,
          onRebuilding: rebuilding.add,
          isClosing: () => isClosing,
        }),
      onTakenTwice: takenTwice,
    }).catch(() => null)
    const core = await opening
    const connection = core.connect({ organization: given.organization, name: null })
    connection.onEvent(given.onEvent)
    void wanted.promise.then(async () => {
      await within(printing(), printsForInMs)
      await release()
    })
    return {
      isOther: false,
      stays: false,
      call: async (method, argument) => {
        if (isClosing) return handedOver()
        const outcome = await connection.server(method, argument)
        return isClosing && !standsAfterClosing(method, outcome) ? handedOver() : outcome
      },
      close: async () => {
        await Promise.race([wanted.promise, clientsGone(server, waits.stayInMs)])
        await release()
      },
    }
    async function handedOver(): Promise<Outcome<unknown>> {
      await release()
      throw lost
    }
  } catch (error) {
    await release()
    throw error
  }
}

/** The last stored state, if the folder cannot be locked: nothing is served and nothing is sent. */
export async function openReadOnlyCore(folder: DataFolder, given: Given): Promise<Link> {
  // An empty list would claim that there is nothing.
  if (!existsSync(join(given.deps.home, 'store.sqlite')))
    throw new Failed(folderFailure('unread', null, given.deps.home))
  const missing: string[] = []
  const opening = openCore(
    given,
    folder,
    (progress) => given.onEvent('app.rebuilding', progress),
    (why) => void missing.push(why),
  )
  const [opened] = await Promise.allSettled([opening])
  const [detail] = missing
  // Missing data would be reported as not existing.
  if (detail !== undefined) {
    if (opened.status === 'fulfilled') await opened.value.close()
    throw new Failed(folderFailure('not-whole', null, detail))
  }
  const core = await opening
  const { server, onEvent: listen } = core.connect({ organization: given.organization, name: null })
  listen(given.onEvent)
  return { isOther: false, stays: false, call: server, close: core.close }
}

/** Removes what a data folder contains, and its keys. Rejects with Failed; then nothing was removed. */
export async function resetEverything(home: string, waits: OwnerWaits): Promise<Removed> {
  const taking = await takeDataFolder(home, waits)
  if (taking.kind === 'taken') throw new Failed(folderFailure('in-use', ownerNamed(taking.place)))
  if (taking.kind === 'read-only') throw new Failed(taking.failure)
  const isUsual = isUsualFolder(home, process.env)
  try {
    const logs = logFolder(home, process.env)
    const removed = await removeEverything({ home, isUsual, logs, keychain: openKeychain() })
    // Elsewhere the registration for links belongs to the installed program.
    if (isUsual && process.platform === 'win32')
      await outputOf(registryProgram(), ['delete', String.raw`HKCU\Software\Classes\headroom`, '/f'])
    removeLock(home, taking.lock)
    return removed
  } finally {
    taking.lock.release()
  }
}

const noDesktop = async (): Promise<never> => {
  throw Failed.invalid('desktop', 'The command line has no desktop.')
}

/** `notWhole` is called if its data cannot be read completely. Rejects with Failed `cache-unusable`. */
function openCore(
  { deps, organization, say }: Given,
  dataFolder: DataFolder,
  rebuilding: (progress: Progress) => void,
  notWhole: (why: string) => void = () => undefined,
): Promise<Core> {
  const keychain = openKeychain()
  let ofPolicy: string | null = null
  const proxies = proxiesOf({
    ofPolicy: () => ofPolicy,
    environment: process.env,
    ofSystem: openSystemProxies(),
    signIns: openProxySignIns(keychain),
    clock: systemClock,
  })
  const platform = openNodePlatform({
    ...deps,
    readsHere: true,
    dataFolder,
    notWhole,
    keychain,
    proxies,
    transport: openHttpTransport({ proxies }),
    useProxy: (chosen) => (ofPolicy = chosen),
    newerVersion: newerVersionSource({
      program: process.execPath,
      platform: process.platform,
    }),
    desktop: {
      openOutside: noDesktop,
      copy: noDesktop,
      saveAs: noDesktop,
      chooseFolder: noDesktop,
      showFile: noDesktop,
    },
    about: { version: packageJson.version, shell: 'none' },
    environment: process.env,
  })
  for (const failure of platform.unsafeSetup) say(sentence(failure))
  return createCore(platform, { organization, rebuilding })
}

async function clientsGone(server: OwnerServer | null, withinMs: number): Promise<void> {
  const until = performance.now() + withinMs
  while (server !== null && server.clients() > 0 && performance.now() < until) await wait(lookAgainInMs)
}

async function within(work: Promise<unknown> | null, ms: number): Promise<void> {
  if (work === null) return
  const late = new AbortController()
  await Promise.race([
    work.catch(() => undefined),
    wait(ms, undefined, { signal: late.signal }).catch(() => undefined),
  ])
  late.abort()
}
