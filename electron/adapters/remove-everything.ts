import { existsSync, lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Failed } from '../contract/failure.ts'
import { KeychainError, type Keychain } from '../core/platform.ts'
import { failedBy } from '../core/storage/file-failure.ts'
import { databaseErrorOf } from './database-errors.ts'
import type { OwnerLock } from './owner/lock.ts'
import { proxySignInsAccount } from './proxy-sign-ins.ts'

export interface RemovingDeps {
  /** The data folder, which this process has locked. */
  readonly home: string
  /** It is not one that `HEADROOM_HOME` names: what all data folders share is removed too. */
  readonly isUsual: boolean
  readonly logs: string
  readonly keychain: Pick<Keychain, 'get' | 'remove'>
}

export interface Removed {
  /** Entries of the keychain. */
  readonly keys: number
  readonly files: number
  /** Entries of the data folder that Headroom did not write. */
  readonly left: readonly string[]
}

/** The names that Headroom gives in a data folder. The lock is removed last, by its holder. */
const ownFiles =
  /^(?:(?:store|workbook)(?:\.(?:damaged|earlier)-[\dT-]+)?\.sqlite(?:-wal|-shm|-journal|-closed)?|headroom(?:\.previous)?\.log)$/
const logFiles = /^headroom(?:\.previous)?\.log$/
/** Of the folder `run`. */
const ownersFiles = /^(?:owner\.(?:json|sock)|secret(?:\.\d+\.[\da-f]+)?)$/
/** Names in the folder `window` that tell it is Chromium's. */
const chromiums = ['Local State', 'Preferences', 'Network', 'Cache', 'GPUCache']

/**
 * Removes what Headroom wrote, keys first: where one cannot be removed, everything stays. Rejects with Failed
 * `cache-unusable` or `keychain-unavailable`.
 */
export async function removeEverything({ home, isUsual, logs, keychain }: RemovingDeps): Promise<Removed> {
  const accounts = storedAccounts(home)
  try {
    if (isUsual && (accounts.length > 0 || (await hasSignIns(keychain)))) accounts.push(proxySignInsAccount)
    for (const account of accounts) await keychain.remove(account)
  } catch (error) {
    if (!(error instanceof KeychainError)) throw error
    throw new Failed({ kind: 'keychain-unavailable', reason: error.reason, message: error.message })
  }
  let files = 0
  const remove = (folder: string, names: RegExp): void => {
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      if (names.test(name) && !lstatSync(join(folder, name)).isDirectory()) {
        rmSync(join(folder, name))
        files++
      }
  }
  remove(home, ownFiles)
  for (const [folder, names] of [
    [logs, logFiles],
    [join(home, 'run'), ownersFiles],
  ] as const) {
    remove(folder, names)
    removeIfEmpty(folder)
  }
  const window = join(home, 'window')
  if (chromiums.some((name) => existsSync(join(window, name)))) rmSync(window, { recursive: true })
  else removeIfEmpty(window)
  const left = readdirSync(home).filter((name) => !name.startsWith('owner.sqlite'))
  return { keys: accounts.length, files, left }
}

/**
 * While the lock is held: otherwise the file could be one that another process has locked by then. Windows
 * removes no file that is open, so there the other process keeps it.
 */
export function removeLock(home: string, lock: Pick<OwnerLock, 'release'>): void {
  if (process.platform === 'win32') lock.release()
  try {
    for (const end of ['-journal', '']) rmSync(join(home, `owner.sqlite${end}`), { force: true })
    removeIfEmpty(home)
  } catch (error) {
    if (!isTakenAgain((error as NodeJS.ErrnoException).code)) throw error
  } finally {
    lock.release()
  }
}
/** Another process has begun in the folder. */
const isTakenAgain = (code: string | undefined): boolean =>
  code === 'ENOTEMPTY' || (process.platform === 'win32' && (code === 'EBUSY' || code === 'EPERM'))

function removeIfEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder)
}

/** A workbook that was damaged, or is from before an update: of its organizations the present one knows nothing. */
const setAside = /^workbook\.(?:damaged|earlier)-[\dT-]+\.sqlite$/

/** The entries of the keychain with a key of this data folder. Throws Failed. */
function storedAccounts(home: string): string[] {
  const accounts = new Set<string>()
  const workbook = join(home, 'workbook.sqlite')
  try {
    if (existsSync(workbook)) addAccounts(workbook, accounts)
  } catch (error) {
    throw failedBy(databaseErrorOf('workbook', error))
  }
  for (const name of readdirSync(home).filter((one) => setAside.test(one)))
    try {
      addAccounts(join(home, name), accounts)
    } catch {
      // What is damaged is removed without what it does not say any more.
    }
  return [...accounts]
}

/** An empty file has no tables, and no keys. */
function addAccounts(workbook: string, to: Set<string>): void {
  const database = new DatabaseSync(workbook)
  try {
    const hasTable = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")
    for (const [table, account] of [
      ['subscription_key', "organization_id || ':' || slot"],
      ['keychain_leftover', 'account'],
    ] as const)
      if (hasTable.get(table) !== undefined)
        for (const row of database.prepare(`SELECT ${account} AS account FROM ${table}`).iterate())
          to.add(String(row['account']))
  } finally {
    database.close()
  }
}

/** Without a keychain there are none. */
async function hasSignIns(keychain: Pick<Keychain, 'get'>): Promise<boolean> {
  try {
    return (await keychain.get(proxySignInsAccount)) !== null
  } catch (error) {
    if (error instanceof KeychainError) return false
    throw error
  }
}
