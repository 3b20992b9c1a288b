import { expect, it } from 'vitest'
import { useOrganizations } from '../../../renderer/organizations/organizations-store.ts'
import { openCore, settle } from '../core.ts'

it('does not show the check of a key that was replaced meanwhile', async () => {
  const core = await openCore()
  const store = useOrganizations()
  await store.load()
  const id = store.current?.id ?? ''
  const release = core.hold('organizations.checkKey')
  const checked = store.check(id, 'primary')
  await store.setKey(id, 'primary', 'b'.repeat(32))
  expect(store.lastCheck(id, 'primary')).toBe(null)
  release()
  expect((await checked).ok).toBe(true)
  await settle()
  expect(store.lastCheck(id, 'primary')).toBe(null)
})
