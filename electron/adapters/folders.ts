import { constants } from 'node:fs'
import {
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  statfs,
  unlink,
  type FileHandle,
} from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { FolderProblem } from '../contract/download.ts'
import { FolderError, type Folder, type Folders, type PartFile } from '../core/platform.ts'
import { renameFile } from './rename-file.ts'

const reasons: Readonly<Record<string, FolderProblem>> = {
  ENOSPC: 'no-room',
  EDQUOT: 'no-room',
  EFBIG: 'too-large',
  EROFS: 'read-only',
  EACCES: 'read-only',
  EPERM: 'read-only',
  ENOENT: 'missing',
  ENODEV: 'missing',
  ENXIO: 'missing',
  EIO: 'missing',
  ESTALE: 'missing',
  ENOTDIR: 'not-a-folder',
  EEXIST: 'taken',
  EISDIR: 'taken',
  ELOOP: 'taken',
}

function folderError(error: unknown, path: string): FolderError {
  if (error instanceof FolderError) return error
  const { code = 'unknown', message } = error as NodeJS.ErrnoException
  return new FolderError(reasons[code] ?? 'unknown', path, message)
}

async function at<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw folderError(error, path)
  }
}

/**
 * Piece size for reading a file: large enough for a fast disk, small enough for memory. Raise it if reading
 * is slower than the disk.
 */
const pieceBytes = 1_048_576
/** FAT stores the length of a file in 32 bits. */
const largestOnFat = 4_294_967_295
/** Bytes that stay free on a drive of this size, so that Headroom can still record what it does (chosen). */
export const reserveOf = (drive: number): number => Math.min(200_000_000, Math.max(20_000_000, 0.02 * drive))
/**
 * `MSDOS_SUPER_MAGIC` (Linux, statfs(2)). Other systems do not report it; there, the write fails when the
 * limit is reached.
 */
const fat = 0x4d44
/** Missing on Windows, which has no named pipes among its files: opening one would wait for its other end. */
const noWait = (constants as Partial<typeof constants>).O_NONBLOCK ?? 0
/** Missing on Windows, where a name that `lstat` reports as a file is never a link. */
const noFollow = (constants as Partial<typeof constants>).O_NOFOLLOW ?? 0

async function* piecesOf(file: FileHandle, upTo: number, path: string): AsyncIterable<Uint8Array> {
  for (let from = 0; from < upTo;) {
    const piece = new Uint8Array(Math.min(pieceBytes, upTo - from))
    const { bytesRead } = await at(path, () => file.read(piece, 0, piece.length, from))
    if (bytesRead === 0) return
    from += bytesRead
    yield piece.subarray(0, bytesRead)
  }
}

function mustBeAbsolute(path: string): void {
  if (!isAbsolute(path)) throw new FolderError('missing', path, 'The path is not absolute.')
}

const folderThere = (path: string): Promise<Folder> =>
  at(path, async () => {
    const real = await realpath(path)
    const found = await lstat(real)
    if (!found.isDirectory()) throw new FolderError('not-a-folder', path, 'It is a file.')
    const { type } = await statfs(real)
    return folderAt(real, String(found.dev), type === fat ? largestOnFat : null)
  })

/** `usual` is called when the folder is needed. */
export const openFolders = (usual: () => string): Folders => ({
  get usual() {
    return usual()
  },
  open: async (path) => {
    mustBeAbsolute(path)
    // Some systems create their downloads folder at its first use.
    await at(path, () =>
      mkdir(path, { recursive: path === usual() }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      }),
    )
    return folderThere(path)
  },
  find: async (path) => {
    mustBeAbsolute(path)
    return folderThere(path)
  },
  async *read(path) {
    const file = await at(path, async () => {
      const opened = await open(path, constants.O_RDONLY | noWait)
      if ((await opened.stat()).isFile()) return opened
      await opened.close()
      throw new FolderError('taken', path, 'It is not a file.')
    })
    try {
      yield* piecesOf(file, Number.POSITIVE_INFINITY, path)
    } finally {
      await file.close()
    }
  },
})

function folderAt(folder: string, volume: string, largestFile: number | null): Folder {
  const pathOf = (name: string): string => join(folder, name)
  const look: Folder['look'] = async (name) => {
    const path = pathOf(name)
    try {
      const found = await lstat(path)
      return found.isFile() ? { kind: 'file', bytes: found.size } : { kind: 'other' }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw folderError(error, path)
      // The folder itself may be missing.
      await at(folder, () => lstat(folder))
      return { kind: 'none' }
    }
  }
  const plainOnly = async (name: string): Promise<boolean> => {
    const { kind } = await look(name)
    if (kind === 'other') throw new FolderError('taken', pathOf(name), 'It is not a regular file.')
    return kind === 'file'
  }
  const create = async (name: string): Promise<FileHandle> => {
    const path = pathOf(name)
    if (await plainOnly(name)) await at(path, () => unlink(path))
    return at(path, () => open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | noFollow))
  }
  return {
    path: folder,
    volume,
    largestFile,
    pathOf,
    look,
    free: async () => {
      const { bavail, bsize, blocks } = await at(folder, () => statfs(folder))
      return Math.max(0, bavail * bsize - reserveOf(blocks * bsize))
    },
    create: async (name) => partOf(await create(name), folder, name, 0),
    replace: async (name, text) => {
      await plainOnly(name)
      const unfinished = `${name}.part`
      const file = await create(unfinished)
      try {
        await at(pathOf(unfinished), async () => {
          await file.writeFile(text)
          await file.sync()
          if ((await readFile(pathOf(unfinished), 'utf8')) !== text)
            throw new FolderError('differs', pathOf(name), 'It was read back with other bytes.')
          await file.close()
          await renameFile(pathOf(unfinished), pathOf(name))
        })
      } catch (error) {
        await file.close().catch(() => undefined)
        await unlink(pathOf(unfinished)).catch(() => undefined)
        throw error
      }
    },
    list: async () =>
      (await at(folder, () => readdir(folder, { withFileTypes: true }))).map((one) => ({
        name: one.name,
        kind: one.isFile() ? 'file' : one.isDirectory() ? 'folder' : 'other',
      })),
    reopen: async (name) => {
      if (!(await plainOnly(name))) return null
      const path = pathOf(name)
      return at(path, async () => {
        const file = await open(path, constants.O_RDWR | noFollow)
        const { size, nlink } = await file.stat()
        // A file with a second hard link may also belong to another user.
        if (nlink === 1) return partOf(file, folder, name, size)
        await file.close()
        throw new FolderError('taken', path, 'It has a second name (a hard link).')
      })
    },
    remove: async (name) => {
      if (await plainOnly(name)) await at(pathOf(name), () => unlink(pathOf(name)))
    },
  }
}

function partOf(file: FileHandle, folder: string, name: string, bytes: number): PartFile {
  const path = join(folder, name)
  let end = bytes
  /** Whether the name still refers to this file: other programs use the folder too. */
  const isOurs = async (): Promise<boolean> => {
    const [own, there] = await Promise.all([
      file.stat({ bigint: true }),
      lstat(path, { bigint: true }).catch(() => null),
    ])
    return own.dev === there?.dev && own.ino === there.ino
  }
  const stillThere = async (): Promise<void> => {
    if (await isOurs()) return
    await at(path, () => lstat(path))
    throw new FolderError('taken', path, 'Another file has this name now.')
  }
  return {
    get bytes() {
      return end
    },
    read: (upTo) => piecesOf(file, upTo, path),
    cut: (to) =>
      at(path, async () => {
        await file.truncate(to)
        end = to
      }),
    write: (piece) =>
      at(path, async () => {
        for (let from = 0; from < piece.length;) {
          const { bytesWritten } = await file.write(piece, from, piece.length - from, end)
          from += bytesWritten
          end += bytesWritten
        }
      }),
    stillThere,
    flush: () => at(path, () => file.sync()),
    place: async (as, holdsOurs) => {
      const final = join(folder, as)
      await at(path, stillThere)
      await at(final, async () => {
        if (holdsOurs && (await lstat(final).catch(() => null))?.size === 0) await unlink(final)
        await (
          await open(final, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow)
        ).close()
      })
      try {
        await at(final, () => renameFile(path, final))
      } catch (error) {
        await unlink(final).catch(() => undefined)
        throw error
      }
    },
    remove: async () => {
      if (await isOurs()) await at(path, () => unlink(path))
    },
    close: () => at(path, () => file.close()),
  }
}
