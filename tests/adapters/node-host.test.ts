import { expect, it } from 'vitest'
import { openNodeHost } from '../../electron/adapters/node-host.ts'
import { aHost } from '../a-host.ts'
import { TemporaryHome } from '../temporary-store.ts'

it('names the system and the processor apart, so that a Mac is known as one', async () => {
  const home = new TemporaryHome()
  try {
    const { transport, demonstration, desktop } = aHost(home)
    const workerUrl = new URL('../../electron/adapters/database-worker.ts', import.meta.url)
    const host = openNodeHost({
      ...{ home: home.folder, workerUrl, transport, demonstration, desktop },
      about: { version: '1.2.3', shell: 'none' },
      environment: {},
    })
    expect(host.about).toEqual({ version: '1.2.3', platform: process.platform, architecture: process.arch, home: home.folder, shell: 'none' })
  } finally {
    await home.remove()
  }
})
