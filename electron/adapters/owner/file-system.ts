import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync, statfsSync } from 'node:fs'

/** What the system reports about the file system under a folder. */
export interface FileSystemFacts {
  readonly platform: NodeJS.Platform
  /** With links resolved; on Windows a drive mapped to a share is resolved too. */
  readonly path: string
  /** Its number as reported by `statfs`. */
  readonly type: number
  /**
   * The mounts: /proc/self/mountinfo on Linux, the output of mount(8) on macOS. Throws if they cannot be
   * read.
   */
  readonly mounts: () => string
}

/** Source: linux/magic.h, and for types missing there the headers of the file systems. */
const sharedTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, 'nfs'],
  [0x517b, 'smb'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb2'],
  [0x0102_1997, '9p'],
  [0x00c3_6400, 'ceph'],
  [0x5346_414f, 'afs'],
  [0x6b41_4653, 'afs'],
  [0x7375_7245, 'coda'],
  [0x564c, 'ncp'],
  [0x0bd0_0bd0, 'lustre'],
  [0x4750_4653, 'gpfs'],
  [0x0116_1970, 'gfs2'],
  [0x7461_636f, 'ocfs2'],
  [0xbacb_acbc, 'vmhgfs'],
  [0x786f_4256, 'vboxsf'],
])
const fuse = 0x6573_5546
/**
 * A FUSE file system of any other type may be on another computer. These types are usual over a local disk;
 * add one when a local disk is refused.
 */
const localFuse = /^(?:fuseblk|fuse\.(?:bindfs|cryfs|encfs|exfat|fuse-overlayfs|gocryptfs|mergerfs|ntfs-3g))$/
const sharedOnMac = /^(?:afpfs|cifs|ftp|nfs|smbfs|webdav|.*fuse.*)$/

/**
 * The name of a file system whose locks may not exclude another process, because it is on another computer;
 * null: it is not one.
 */
export function sharedFileSystem({ platform, path, type, mounts }: FileSystemFacts): string | null {
  if (platform === 'win32') return /^\\\\(?![.?]\\(?!UNC\\))/i.test(path) ? 'UNC path' : null
  if (platform === 'darwin') {
    const name = nameOfMount(path, mounts, /^.+? on (.+) \(([^,)]+)/)
    return name !== null && sharedOnMac.test(name) ? name : null
  }
  if (type >>> 0 !== fuse) return sharedTypes.get(type >>> 0) ?? null
  const name = nameOfMount(path, mounts, /^(?:\S+ ){4}(\S+) .*? - (\S+) /)
  return name !== null && localFuse.test(name) ? null : (name ?? 'fuse')
}

export const fileSystemOf = (folder: string): FileSystemFacts => ({
  platform: process.platform,
  path: realpathSync.native(folder),
  type: process.platform === 'linux' ? statfsSync(folder).type : 0,
  mounts: () =>
    process.platform === 'darwin'
      ? execFileSync('/sbin/mount', { encoding: 'utf8' })
      : readFileSync('/proc/self/mountinfo', 'utf8'),
})

/** The type of the nearest mount above the path. `line` captures mount point and type. null: not reported. */
function nameOfMount(path: string, mounts: () => string, line: RegExp): string | null {
  let nearest = { point: '', name: null as string | null }
  try {
    for (const mount of mounts().split('\n')) {
      const [, point = '', name = null] = line.exec(mount) ?? []
      const from = unescaped(point)
      const isAbove = from === '/' || path === from || path.startsWith(`${from}/`)
      // Of several mounts at one point the last one hides the others.
      if (from !== '' && isAbove && from.length >= nearest.point.length) nearest = { point: from, name }
    }
  } catch {
    // Nothing is reported.
  }
  return nearest.name
}

/** A space is written as \040 there (proc(5)). */
const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
