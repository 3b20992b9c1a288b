import { expect, test } from 'vitest'
import { newerVersionSource, type NewerVersionGiven } from '../../electron/adapters/newer-version-source.ts'

const address = 'https://updates.example.com/newest.json'
const given: NewerVersionGiven = { address, program: null, platform: 'linux' }

test.each<[Partial<NewerVersionGiven> & { readonly ofPolicy?: boolean }, unknown]>([
  [{}, { url: address }],
  [{ address: null }, { off: 'not-configured' }],
  [{ address: null, ofPolicy: true }, { off: 'not-configured' }],
  [{ ofPolicy: false }, { off: 'by-policy' }],
  [{ program: '/opt/Headroom/headroom' }, { off: 'by-installer' }],
  [{ program: '/usr/lib/headroom/headroom' }, { off: 'by-installer' }],
  [{ program: '/opt/Headroom/headroom', ofPolicy: true }, { url: address }],
  [{ program: '/tmp/.mount_HeadroaBcD/headroom' }, { url: address }],
  [{ program: '/home/ann/opt/headroom' }, { url: address }],
  [
    { platform: 'win32', program: String.raw`C:\Program Files\Headroom\Headroom.exe` },
    { off: 'by-installer' },
  ],
  [
    {
      platform: 'win32',
      program: String.raw`C:\Users\Ann\AppData\Local\Programs\headroom\Headroom.exe`,
    },
    { url: address },
  ],
  [{ platform: 'darwin', program: '/Applications/Headroom.app/Contents/MacOS/Headroom' }, { url: address }],
])('%o is %o', ({ ofPolicy = null, ...changes }, source) => {
  expect(newerVersionSource({ ...given, ...changes })(ofPolicy)).toEqual(source)
})
