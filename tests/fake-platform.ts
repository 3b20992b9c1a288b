import { join } from 'node:path'
import { systemClock } from '../electron/adapters/clock.ts'
import { definitionsPackage } from '../electron/adapters/definitions-package.ts'
import { openFileTransport } from '../electron/adapters/file-transport.ts'
import { openFolders } from '../electron/adapters/folders.ts'
import { openHttpTransport } from '../electron/adapters/http-transport.ts'
import { newId } from '../electron/adapters/new-id.ts'
import { Failed } from '../electron/contract/failure.ts'
import type { Files, Platform, Log } from '../electron/core/platform.ts'
import { FakePolicy } from './fake-policy.ts'
import { MemoryKeychain, quickKeyHash } from './memory-keychain.ts'
import type { TemporaryHome } from './temporary-store.ts'

export interface FakePlatform extends Platform {
  readonly keychain: MemoryKeychain
  /** The log: one item per line. */
  readonly lines: string[]
  readonly copied: string[]
  readonly opened: string[]
  /** Written files, by path; an unfinished file is not included. */
  readonly written: Map<string, string>
  /** Files shown in their folder. */
  readonly visible: string[]
}

/**
 * A platform of real parts (clock, SQLite files, HTTP), except for the keychain, the log and the desktop,
 * which a test can inspect.
 */
export function fakePlatform(
  home: Pick<TemporaryHome, 'folder' | 'databases'>,
  changes: Partial<Platform> = {},
): FakePlatform {
  const lines: string[] = []
  const copied: string[] = []
  const opened: string[] = []
  const written = new Map<string, string>()
  const visible: string[] = []
  const log: Log = {
    write: (level, message, details = {}) =>
      void lines.push(`${level} ${message} ${JSON.stringify(details)}`),
  }
  return {
    clock: systemClock,
    // The back-off is a random share of its maximum; the share is zero here, so nothing waits.
    random: () => 0,
    newId,
    keyHash: quickKeyHash,
    transport: openHttpTransport(),
    names: { lookup: async () => [], loopbackForTests: false },
    pinned: { attempt: () => Promise.reject(new Error('nothing is asked outside in this test')) },
    fileTransport: openFileTransport(),
    folders: openFolders(() => join(home.folder, 'Downloads')),
    databases: home.databases,
    log,
    definitionsPackage,
    demonstration: () =>
      Promise.reject(new Failed({ kind: 'invalid', field: 'demonstration', message: 'none in this test' })),
    keyFromEnvironment: null,
    desktop: {
      openOutside: async (url) => {
        opened.push(url)
        return true
      },
      copy: async (text) => void copied.push(text),
      saveAs: async (suggestedName) => `/chosen/${suggestedName}`,
      chooseFolder: async () => '/chosen',
      showFile: async (path) => void visible.push(path),
    },
    files: memoryFiles(written),
    about: {
      version: '0.0.0',
      platform: 'linux',
      architecture: 'x64',
      home: home.folder,
      logs: join(home.folder, 'logs'),
      shell: 'none',
    },
    newerVersion: () => ({ off: 'not-configured' }),
    dataFolder: { problem: () => null },
    policySource: new FakePolicy(),
    unsafeSetup: [],
    ...changes,
    keychain: new MemoryKeychain(),
    lines,
    copied,
    opened,
    written,
    visible,
  }
}

function memoryFiles(written: Map<string, string>): Files {
  return {
    write: async (path) => {
      const pieces: Buffer[] = []
      return {
        write: async (piece) => void pieces.push(Buffer.from(piece)),
        finish: async () => {
          const whole = Buffer.concat(pieces)
          written.set(path, whole.toString('utf8'))
          return whole.length
        },
        discard: async () => void pieces.splice(0),
      }
    },
  }
}
