import { homedir } from 'node:os'
import { join } from 'node:path'
import type { About } from '../contract/api/app.ts'
import {
  DatabaseError,
  type DatabaseFile,
  type Databases,
  type DataFolder,
  type Demonstration,
  type Desktop,
  type FileTransport,
  type Platform,
  type Transport,
} from '../core/platform.ts'
import { systemClock } from './clock.ts'
import { othersMayWrite } from './data-folder.ts'
import { openDatabases } from './database.ts'
import { definitionsPackage } from './definitions-package.ts'
import { files } from './files.ts'
import { openFileTransport } from './file-transport.ts'
import { openFolders } from './folders.ts'
import { openKeychain } from './keychain.ts'
import { openLog } from './log.ts'
import { systemNames } from './names.ts'
import { newId } from './new-id.ts'
import { openPinnedTransport } from './pinned-transport.ts'
import { openSchemaChecks } from './schema-checks.ts'

export interface NodePlatformParts {
  /** The folder that holds everything Headroom keeps on this machine. */
  readonly home: string
  /** The file of the database's thread; the other threads' files stand beside it. */
  readonly workerUrl: URL
  readonly transport: Transport
  readonly dataFolder: DataFolder
  readonly demonstration: () => Promise<Demonstration>
  readonly desktop: Desktop
  readonly about: Pick<About, 'version' | 'shell'>
  readonly environment: NodeJS.ProcessEnv
  /** What `takeKey` took. */
  readonly keyFromEnvironment: string | null
  /** Another program has one of the files locked, and it is waited for. */
  readonly waiting?: (file: DatabaseFile) => void
  /** What could not be read whole where a file goes on in memory. */
  readonly notWhole?: (why: string) => void
  /** Missing: Node's own connections. */
  readonly fileTransport?: FileTransport
  /** The system's folder of downloads; missing: what most systems call it. */
  readonly downloadsFolder?: () => string
  /** Switches of the environment that ask not to check certificates and were taken away. */
  readonly refusedSwitches?: readonly string[]
}

/** The variable goes: it is of no effect on our connections, Node would warn of it, and whoever we start shall not have it. */
function unsafeSetup(
  home: string,
  environment: NodeJS.ProcessEnv,
  refusedSwitches: readonly string[],
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
  return othersMayWrite(home, isChosen)
    ? [...certificates, { kind: 'unsafe-setup', what: 'data-folder', detail: home }]
    : certificates
}

/** A folder that this process does not own is looked at: none of its files is opened to be written, for whoever owns it may be at work. */
function unlessLookedAt(databases: Databases, folder: DataFolder): Databases {
  const failure = folder.trouble()
  if (failure === null) return databases
  const message = `The data folder is only looked at (${failure.reason}).`
  return {
    ...databases,
    open: async (file, kept) => {
      if (kept !== 'in-memory') throw new DatabaseError(file, 'read-only', message)
      return databases.open(file, kept)
    },
  }
}

const usualDownloads = (): string => join(homedir(), 'Downloads')

/** What app and command line share of a platform: everything but the wire, the desktop and how the demonstration is started. */
export function openNodePlatform(parts: NodePlatformParts): Platform {
  const { home, workerUrl, environment, refusedSwitches = [], waiting, notWhole, ...more } = parts
  const {
    downloadsFolder = usualDownloads,
    fileTransport = openFileTransport({ environment }),
    ...rest
  } = more
  return {
    ...rest,
    fileTransport,
    folders: openFolders(() => join(downloadsFolder(), 'Headroom')),
    about: { ...parts.about, platform: process.platform, architecture: process.arch, home },
    unsafeSetup: unsafeSetup(home, environment, refusedSwitches),
    clock: systemClock,
    random: Math.random,
    newId,
    names: systemNames,
    pinned: openPinnedTransport({ environment }),
    schemas: openSchemaChecks(workerUrl),
    keychain: openKeychain('Headroom'),
    databases: unlessLookedAt(
      openDatabases({
        folder: home,
        workerUrl,
        ...(waiting && { waiting }),
        ...(notWhole && { notWhole }),
      }),
      rest.dataFolder,
    ),
    files,
    log: openLog(home),
    definitionsPackage,
  }
}
