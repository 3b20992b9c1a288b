import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import {
  fileSystemOf,
  sharedFileSystem,
  type FileSystemFacts,
} from '../../../electron/adapters/owner/file-system.ts'

const linux = { platform: 'linux', path: '/home/astrid/.config/Headroom', mounts: () => '' } as const
const mac = { platform: 'darwin', type: 0 } as const
const windows = { platform: 'win32', type: 0, mounts: () => '' } as const
const fuse = 0x65735546
const inode = (point: string, type: string): string =>
  `36 35 98:0 / ${point} rw,noatime master:1 - ${type} source rw`
const mounted =
  (...lines: readonly string[]): (() => string) =>
  () =>
    `${lines.join('\n')}\n`
const none = (): never => {
  throw new Error('no such file')
}
const macMounts = mounted(
  '/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)',
  '/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled)',
  '//astrid@server/share on /Volumes/My share (smbfs, nodev, nosuid, mounted by astrid)',
)

describe('a folder on a file system that may be on another computer', () => {
  it.each<[string, FileSystemFacts, string | null]>([
    ['ext4', { ...linux, type: 0xef53 }, null],
    ['tmpfs', { ...linux, type: 0x01021994 }, null],
    ['btrfs', { ...linux, type: 0x9123683e }, null],
    ['xfs', { ...linux, type: 0x58465342 }, null],
    ['overlay', { ...linux, type: 0x794c7630 }, null],
    ['nfs', { ...linux, type: 0x6969 }, 'nfs'],
    ['smb', { ...linux, type: 0x517b }, 'smb'],
    ['cifs', { ...linux, type: 0xff534d42 }, 'cifs'],
    ['cifs with an escaped character', { ...linux, type: 0xff534d42 | 0 }, 'cifs'],
    ['smb2', { ...linux, type: 0xfe534d42 }, 'smb2'],
    ['9p', { ...linux, type: 0x01021997 }, '9p'],
    ['ceph', { ...linux, type: 0x00c36400 }, 'ceph'],
    [
      'sshfs',
      { ...linux, type: fuse, mounts: mounted(inode('/', 'ext4'), inode('/home', 'fuse.sshfs')) },
      'fuse.sshfs',
    ],
    [
      'ntfs-3g',
      { ...linux, type: fuse, mounts: mounted(inode('/', 'ext4'), inode('/home', 'fuseblk')) },
      null,
    ],
    [
      'a directory encrypted by gocryptfs',
      {
        ...linux,
        type: fuse,
        mounts: mounted(inode('/', 'fuse.sshfs'), inode('/home/astrid', 'fuse.gocryptfs')),
      },
      null,
    ],
    [
      'a mount that hides another one',
      { ...linux, type: fuse, mounts: mounted(inode('/home', 'fuseblk'), inode('/home', 'fuse.rclone')) },
      'fuse.rclone',
    ],
    [
      'a mount next to it',
      { ...linux, type: fuse, mounts: mounted(inode('/', 'fuse.unheard'), inode('/home/ast', 'fuseblk')) },
      'fuse.unheard',
    ],
    [
      'a mount point with a space',
      {
        ...linux,
        path: '/home/my disk/Headroom',
        type: fuse,
        mounts: mounted(inode('/', 'fuse.sshfs'), inode('/home/my\\040disk', 'fuseblk')),
      },
      null,
    ],
    ['FUSE without a type', { ...linux, type: fuse, mounts: none }, 'fuse'],
    ['FUSE of a type that is not in the list', { ...linux, type: fuse, mounts: mounted('') }, 'fuse'],
    ['a local disk on a Mac', { ...mac, path: '/Users/astrid', mounts: macMounts }, null],
    ['a share on a Mac', { ...mac, path: '/Volumes/My share/Headroom', mounts: macMounts }, 'smbfs'],
    ['a Mac that reports nothing', { ...mac, path: '/Users/astrid', mounts: none }, null],
    ['a drive', { ...windows, path: 'C:\\Users\\astrid\\AppData\\Roaming\\Headroom' }, null],
    ['a long path', { ...windows, path: '\\\\?\\C:\\Users\\astrid' }, null],
    ['a device path', { ...windows, path: '\\\\.\\C:\\Users\\astrid' }, null],
    ['a share', { ...windows, path: '\\\\server\\share\\Headroom' }, 'UNC path'],
    ['a share with a long path', { ...windows, path: '\\\\?\\UNC\\server\\share\\Headroom' }, 'UNC path'],
  ])('%s', (_, facts, shared) => {
    expect(sharedFileSystem(facts)).toBe(shared)
  })

  it.each([tmpdir(), '/dev/shm'].filter((folder) => existsSync(folder)))(
    'recognizes that it may be on another computer: %s',
    (folder) => {
      expect(sharedFileSystem(fileSystemOf(folder))).toBe(null)
    },
  )
})
