/**
 * Writes the files of the present format, and what they show, to `format-N`. Run it once, with the program that is released with the
 * format: from then on they stay as they are.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { parseFault } from '../../../electron/demo/faults.ts'
import { AJobCore } from '../jobs/a-job-core.ts'
import { files, seenIn } from './files-of-format.ts'

const it = await AJobCore.open({
  devices: 12,
  rooms: 3,
  secondaryKey: 'b'.repeat(32),
  faults: [parseFault('damaged-records=0.1')!],
})
const { handlers, clock } = it
const { rows } = await handlers.devices.slice({ where: '', sort: [], start: 0, count: 12 })
const { rows: rooms } = await handlers.rooms.list({ where: 'online:>0', sort: [], start: 0, count: 3 })
const [device, room] = [rows[0]!, rooms[0]!]
const product = { vendorId: 2830, productId: device.productId! }
const [organization] = (await handlers.organizations.list()).organizations
const secondary = { id: organization!.id, slot: 'secondary' } as const

// What a person writes down.
const selection = { kind: 'picked', ids: rows.slice(0, 3).map(({ id }) => id) } as const
await handlers.tags.change({ selection, add: ['pilot', 'Ærø'], remove: [] })
await handlers.lists.paste({ text: device.serialNumber!, keep: true, name: 'Berlin move' })
await handlers.devices.setNote({ id: device.id, note: 'Loan to reception' })
await handlers.rooms.setNote({ id: room.id, note: 'Key at the desk' })
await handlers.rooms.setSite({ id: room.id, site: 'Aarhus' })
const sort = [{ column: 'name', descending: true }]
await handlers.views.save({ list: 'devices', name: 'Off', where: 'status:offline', sort, columns: ['name'] })
await handlers.explorer.saveExample({ name: 'One', operation: 'ListDevices', parameters: { pageSize: '1' } })
await handlers.changes.look({ seen: { at: clock.now(), id: 0 } })
await handlers.app.setPreferences({ theme: 'dark', density: 'compact' })
await handlers.organizations.setKey({ ...secondary, key: 'b'.repeat(32) })
await handlers.organizations.useKey(secondary)

// What is read and sent.
const { releases } = await it.passing(handlers.firmware.releases(product))
await it.passing(
  handlers.firmware.approve({
    ...product,
    variant: null,
    version: releases[0]!.version,
    reason: 'tested',
    expires: '2030-12-31',
  }),
)
await it.passing(handlers.devices.settings({ id: device.id, refresh: true }))
await handlers.goldenProfiles.save({
  id: null,
  name: 'Desks',
  productId: product.productId,
  variantType: null,
  settings: [{ name: 'voicePrompts', value: 'off' }],
})
await it.passing(handlers.releaseNotes.get(product))
await it.passing(handlers.pictures.get(product))
const run = { unlock: false, whole: false, wait: false, copies: null, reference: null }
await it.passing(handlers.explorer.run({ operation: 'ListMeetingRooms', parameters: {}, ...run }))
const { id: download } = await handlers.downloads.start({
  vendorId: 2830,
  productId: 0x0343,
  version: 'latest',
  buildType: null,
  folder: null,
  acceptChanged: null,
  acceptRevoked: false,
})
while ((await handlers.downloads.get({ id: download })).state !== 'done') await sleep(20)
const reboot = { kind: 'reboot-rooms', of: 'rooms', selection: { kind: 'picked', ids: [room.id] } } as const
await it.done(await it.plan(reboot))
await it.start(await it.plan(reboot, { startAt: clock.now() + 7 * 86_400_000 }))

// Two days later the service has changed.
await clock.advance(2 * 86_400_000)
await it.passing(handlers.sync.runAndCompare({ acceptGone: null }))
await clock.advance(10_000)
await it.passing(it.core.close())

const made = files.map((file) => {
  const database = new DatabaseSync(join(it.home.folder, file))
  database.exec('PRAGMA journal_mode = DELETE; VACUUM')
  const format = database.prepare('PRAGMA user_version').get()!['user_version']
  database.close()
  return { file, format, bytes: readFileSync(join(it.home.folder, file)) }
})
const folder = join(import.meta.dirname, `format-${String(made[0]!.format)}`)
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
for (const { file, bytes } of made) writeFileSync(join(folder, file), bytes)
const at = clock.now()
const seen = { at, ...(await seenIn(it.home.folder, at)) }
writeFileSync(join(folder, 'seen.json'), `${JSON.stringify(seen, null, 2)}\n`)
await it.service.stop()
await it.home.remove()
