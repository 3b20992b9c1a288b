import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where the owner of a data folder is found, and how it is known. */
export interface OwnerPlace {
  /** The data folder without links: hashed, and named in the handshake. */
  readonly home: string
  /** Known to whoever may read the data folder; never sent. */
  readonly secret: Buffer
  /** A socket, or a named pipe on Windows. */
  readonly socket: string
  /** Tells people and programs who the owner is. */
  readonly about: string
}

/** Longest path of a socket, less the closing zero (documented: unix(7), macOS sys/un.h). */
const socketPathBytes = process.platform === 'darwin' ? 103 : 107

/**
 * Makes what an owner and its clients share: a subfolder for the user alone and the secret, once. Throws what the file system says, such as
 * EROFS, and an Error where the folder for sockets is another's.
 */
export function ownerPlace(folder: string): OwnerPlace {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const home = realpathSync(folder)
  const run = ownFolder(join(home, 'run'))
  return { home, secret: secretIn(run), socket: socketOf(home, run), about: join(run, 'owner.json') }
}

/** Linked into place, so that it appears whole or not at all, whoever makes it first. */
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
  if (made === null) throw new Error('The secret of the data folder cannot be kept.')
  return made
}

/** null: there is none. What is damaged is made anew: a running owner still proves the old one, and is refused. */
function readSecret(file: string): Buffer | null {
  try {
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

function socketOf(home: string, run: string): string {
  const hash = createHash('sha256').update(home).digest('hex').slice(0, 32)
  if (process.platform === 'win32') return `\\\\.\\pipe\\headroom-${hash}`
  const near = join(run, 'owner.sock')
  if (Buffer.byteLength(near) <= socketPathBytes) return near
  const runtime = process.env['XDG_RUNTIME_DIR'] ?? tmpdir()
  return join(ownFolder(join(runtime, `headroom-${process.getuid?.() ?? 0}-${hash}`)), 'owner.sock')
}

/** Ours by owner and mode, and no link: one that somebody else put there is refused. */
function ownFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const found = lstatSync(path)
  if (!found.isDirectory() || (process.getuid !== undefined && found.uid !== process.getuid()))
    throw new Error(`${path} belongs to somebody else.`)
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) chmodSync(path, 0o700)
  return path
}
