import { expect, it, vi } from 'vitest'
import { openCore, settle } from './core.ts'

it('waits for a module that an answer loads on first use, however long that takes', async () => {
  const core = await openCore()
  let isLoaded = false
  vi.spyOn(core, 'isIdle').mockImplementation(() => isLoaded)
  void import('./loaded-slowly.ts').then(() => (isLoaded = true))
  await settle()
  expect(isLoaded).toBe(true)
})
