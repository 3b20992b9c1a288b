import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, linkSync, lstatSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFolder } from '../make-folder.ts'

/** How the owner of a data folder is found and recognized. */
export interface OwnerPlace {
  /** The data folder with links resolved: hashed, and named in the handshake. */
  readonly home: string
  /** Known to everyone who may read the data folder; never sent. */
  readonly secret: Buffer
  /** Names the owner and its socket, for people and programs. */
  readonly about: string
}

/** The owner's own: clients take the socket from `about`, because their environment may name another folder. */
export interface OwnPlace extends OwnerPlace {
  /** A socket, or a named pipe on Windows. */
  readonly socket: string
}

/** Longest path of a socket, without the terminating zero (documented: unix(7), macOS sys/un.h). */
const socketPathBytes = process.platform === 'darwin' ? 103 : 107

/**
 * Creates what an owner and its clients share: a subfolder for the user alone and, once, the secret. Throws
 * the error of the file system, such as EROFS, and an Error if the subfolder belongs to another user.
 */
export function ownerPlace(folder: string): OwnerPlace {
  makeFolder(folder)
  const home = realpathSync(folder)
  const run = join(home, 'run')
  if (openToOthers(run)) chmodSync(run, 0o700)
  return { home, secret: secretIn(run), about: join(run, 'owner.json') }
}

/** Linked to its name when complete, so that other processes see all of it or nothing. */
function secretIn(run: string): Buffer {
  const file = join(run, 'secret')
  const known = readSecret(file)
  if (known !== null) return known
  const fresh = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(fresh, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' })
  try {
    linkSync(fresh, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(fresh)
  }
  const made = readSecret(file)
  if (made === null) throw new Error('The secret of the data folder cannot be saved.')
  return made
}

/**
 * null: there is no usable secret. A damaged secret is created again: a running owner still uses the old
 * secret and is refused.
 */
function readSecret(file: string): Buffer | null {
  try {
    // A link may lead to a file without an end.
    if (!lstatSync(file).isFile()) throw new Error(`${file} is not a file.`)
    const text = readFileSync(file, 'utf8')
    if (/^[0-9a-f]{64}$/.test(text)) {
      if (process.platform !== 'win32' && (lstatSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
      return Buffer.from(text, 'hex')
    }
    rmSync(file)
    return null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * Where the owner listens: next to the secret or, if that path is too long, in the runtime folder. Throws an
 * Error if that folder may be used by others or its path is too long as well.
 */
export function ownSocket({ home, about }: OwnerPlace): string {
  const hash = createHash('sha256').update(home).digest('hex').slice(0, 16)
  if (process.platform === 'win32') return `\\\\.\\pipe\\headroom-${hash}`
  const near = join(about, '../owner.sock')
  if (Buffer.byteLength(near) <= socketPathBytes) return near
  const { XDG_RUNTIME_DIR: given = '' } = process.env
  const runtime = join(given === '' ? tmpdir() : given, `headroom-${process.getuid?.() ?? 0}`)
  if (openToOthers(runtime)) throw new Error(`${runtime} is open to other users`)
  const socket = join(runtime, hash)
  if (Buffer.byteLength(socket) > socketPathBytes) throw new Error(`${socket} is too long for a socket`)
  return socket
}

/**
 * Creates a folder for the user alone; true: others may use an existing one. Throws if it belongs to another
 * user or is a link, which may lead to one.
 */
function openToOthers(path: string): boolean {
  makeFolder(path)
  const found = lstatSync(path)
  if (!found.isDirectory() || (process.getuid !== undefined && found.uid !== process.getuid()))
    throw new Error(`${path} belongs to another user`)
  return process.platform !== 'win32' && (found.mode & 0o077) !== 0
}
