import { homedir } from 'node:os'
import { join } from 'node:path'
import type { About } from '../contract/api/app.ts'
import { Failed } from '../contract/failure.ts'
import {
  DatabaseError,
  type Databases,
  type DataFolder,
  type Demonstration,
  type Desktop,
  type FileTransport,
  type Keychain,
  type Platform,
  type PolicySource,
  type ProxySignIn,
  type Transport,
} from '../core/platform.ts'
import { systemClock } from './clock.ts'
import { othersMayWrite } from './data-folder.ts'
import { openDatabases } from './database.ts'
import { definitionsPackage } from './definitions-package.ts'
import { files } from './files.ts'
import { openFileTransport } from './file-transport.ts'
import { openFolders } from './folders.ts'
import { keyHash } from './key-hash.ts'
import { openKeychain } from './keychain.ts'
import { logFolder } from './log-folder.ts'
import { openLog } from './log.ts'
import { systemNames } from './names.ts'
import { newId } from './new-id.ts'
import { systemPolicy } from './policy/system-policy.ts'
import { openPinnedTransport } from './pinned-transport.ts'
import { noProxies, type Proxies } from './proxies.ts'

export interface NodePlatformDeps {
  /** The folder that holds everything Headroom keeps on this machine. */
  readonly home: string
  /** The file of the database's thread; the files of the other threads are next to it. */
  readonly workerUrl: URL
  /** Of the databases (`DatabasesOptions`). */
  readonly readsHere?: boolean
  readonly transport: Transport
  readonly dataFolder: DataFolder
  readonly demonstration: () => Promise<Demonstration>
  readonly desktop: Desktop
  readonly about: Pick<About, 'version' | 'shell'>
  readonly environment: NodeJS.ProcessEnv
  /** Of Node's own connections; missing: none. */
  readonly proxies?: Proxies
  readonly proxySignIn?: ProxySignIn
  readonly useProxy?: (ofPolicy: string | null) => void
  /** Missing: nowhere. */
  readonly newerVersion?: Platform['newerVersion']
  /** Missing: the system's. */
  readonly keychain?: Keychain
  /** The key that `takeKey` returned. */
  readonly keyFromEnvironment: string | null
  /** Data that could not be read completely where a file is opened read-only. */
  readonly notWhole?: (why: string) => void
  /** Missing: Node's own connections. */
  readonly fileTransport?: FileTransport
  /** Missing: the system's. */
  readonly policySource?: PolicySource | undefined
  /** The system's downloads folder; missing: the usual name on most systems. */
  readonly downloadsFolder?: () => string
  /** Environment switches that turn certificate checks off and were removed. */
  readonly refusedSwitches?: readonly string[]
  /** Switches of Chromium that weaken it and stay as they are. */
  readonly weakeningSwitches?: readonly string[]
}

/**
 * The variable is removed: it does not affect our connections, Node would warn about it, and child processes
 * must not inherit it.
 */
function unsafeSetup(
  home: string,
  environment: NodeJS.ProcessEnv,
  refusedSwitches: readonly string[],
  weakeningSwitches: readonly string[],
): Platform['unsafeSetup'] {
  const asked = [
    ...refusedSwitches,
    ...(environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0' ? ['NODE_TLS_REJECT_UNAUTHORIZED=0'] : []),
  ]
  delete environment['NODE_TLS_REJECT_UNAUTHORIZED']
  const isChosen = (environment['HEADROOM_HOME'] ?? '') !== ''
  const certificates = asked.map(
    (detail) => ({ kind: 'unsafe-setup', what: 'certificates', detail }) as const,
  )
  const weakened = weakeningSwitches.map(
    (detail) => ({ kind: 'unsafe-setup', what: 'switch', detail }) as const,
  )
  const folder = othersMayWrite(home, isChosen)
    ? [{ kind: 'unsafe-setup', what: 'data-folder', detail: home } as const]
    : []
  return [...certificates, ...weakened, ...folder]
}

/** A folder that this process does not own is opened read-only, because its owner may be running. */
function unlessLookedAt(databases: Databases, folder: DataFolder): Databases {
  const failure = folder.problem()
  if (failure === null) return databases
  const message = `The data folder is opened read-only (${failure.reason}).`
  return {
    ...databases,
    open: (file) => Promise.reject(new DatabaseError(file, 'read-only', message)),
    openReadOnly: (file) => databases.openReadOnly(file, new Failed(failure)),
  }
}

const usualDownloads = (): string => join(homedir(), 'Downloads')

/**
 * The members of a platform that app and command line share: everything except transport, desktop and the start
 * of the demonstration.
 */
export function openNodePlatform(deps: NodePlatformDeps): Platform {
  const {
    home,
    workerUrl,
    readsHere,
    environment,
    refusedSwitches = [],
    weakeningSwitches = [],
    notWhole,
    ...more
  } = deps
  const {
    downloadsFolder = usualDownloads,
    policySource = systemPolicy(),
    proxies = noProxies,
    fileTransport = openFileTransport({ proxies }),
    keychain = openKeychain(),
    newerVersion = () => ({ off: 'not-configured' }),
    ...rest
  } = more
  const logs = logFolder(home, environment)
  return {
    ...rest,
    fileTransport,
    policySource,
    folders: openFolders(() => join(downloadsFolder(), 'Headroom')),
    about: { ...deps.about, platform: process.platform, architecture: process.arch, home, logs },
    unsafeSetup: unsafeSetup(home, environment, refusedSwitches, weakeningSwitches),
    clock: systemClock,
    random: Math.random,
    newId,
    keyHash,
    names: systemNames,
    pinned: openPinnedTransport({ proxies }),
    keychain,
    newerVersion,
    databases: unlessLookedAt(
      openDatabases({
        folder: home,
        workerUrl,
        readsHere,
        ...(notWhole && { notWhole }),
      }),
      rest.dataFolder,
    ),
    files,
    log: openLog(logs),
    definitionsPackage,
  }
}
