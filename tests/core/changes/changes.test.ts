import { afterEach, beforeEach, expect, it } from 'vitest'
import { dropOldChanges, openChanges, recordChanges } from '../../../electron/core/changes/changes.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import { FakeClock } from '../../fake-clock.ts'
import { TemporaryHome } from '../../temporary-store.ts'

let home: TemporaryHome
let store: Store
const day = 24 * 3_600_000
const subject = (id: string, organizationId = 'org') => ({ organizationId, of: 'device', id, name: `Name of ${id}` }) as const

beforeEach(async () => {
  home = new TemporaryHome()
  store = await home.openStore(new FakeClock())
  await store.database.write((transaction) => {
    recordChanges(transaction, subject('D1'), [{ kind: 'went-offline', before: 'online', after: 'offline' }], 10 * day)
    recordChanges(transaction, subject('D1'), [{ kind: 'back-online', before: 'offline', after: 'online' }], 20 * day)
    recordChanges(transaction, subject('D2'), [{ kind: 'appeared', before: null, after: null }], 20 * day)
    recordChanges(transaction, subject('D1', 'other'), [{ kind: 'gone', before: null, after: null }], 20 * day)
  })
})
afterEach(() => home.remove())

it('tells the changes of one device, newest first', async () => {
  expect(await openChanges({ store }).forSubject('org', 'device', 'D1')).toEqual([
    { id: 2, of: 'device', subjectId: 'D1', subjectName: 'Name of D1', kind: 'back-online', before: 'offline', after: 'online', observedAt: 20 * day },
    { id: 1, of: 'device', subjectId: 'D1', subjectName: 'Name of D1', kind: 'went-offline', before: 'online', after: 'offline', observedAt: 10 * day },
  ])
})

it('tells the changes since a time, of one organization', async () => {
  expect((await openChanges({ store }).since('org', 15 * day)).map(({ id }) => id)).toEqual([3, 2])
})

it('lets go of changes older than 400 days', async () => {
  await store.database.write((transaction) => dropOldChanges(transaction, 'org', 415 * day))
  expect((await openChanges({ store }).since('org', 0)).map(({ id }) => id)).toEqual([3, 2])
})
