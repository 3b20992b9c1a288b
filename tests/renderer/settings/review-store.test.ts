import { expect, it } from 'vitest'
import { useSettingEdits } from '../../../renderer/settings/edits-store.ts'
import { useSettingsReview } from '../../../renderer/settings/review-store.ts'
import { devicesOf, openCore, settle } from '../core.ts'

it('values edited again during the write stay edited, and the rest is cleared', async () => {
  const core = await openCore()
  const device = (await devicesOf(core, 'product:="Jabra Evolve2 65 Stereo" status:online'))[0]!
  const { settings } = await core.finish(core.handlers.devices.settings({ id: device.id, refresh: true }))
  const named = (name: string) => settings.find((one) => one.name === name)!
  const edits = useSettingEdits()
  const review = useSettingsReview()
  edits.type(device.id, named('muteReminderInterval'), '4')
  edits.type(device.id, named('voicePrompts'), 'tones')
  const changes = [
    { name: 'muteReminderInterval', value: 4 },
    { name: 'voicePrompts', value: 'tones' },
  ]
  await review.open({ deviceId: device.id, name: device.name, changes, edits: edits.editsOf(device.id) })
  await review.start(true)
  const previous = review.results.get(device.id)?.item
  edits.type(device.id, named('muteReminderInterval'), '5')
  await core.advance(10_000)
  await settle()
  expect([
    previous,
    review.results.get(device.id)?.item?.detail,
    [...edits.editsOf(device.id)].map(([name, { typed }]) => [name, typed]),
  ]).toEqual([null, 'verified', [['muteReminderInterval', '5']]])
})

it('a result that is put away while its items are read stays away', async () => {
  const core = await openCore()
  const device = (await devicesOf(core, 'product:="Jabra Evolve2 65 Stereo" status:online'))[0]!
  const changes = [{ name: 'muteReminderInterval', value: 4 }]
  const review = useSettingsReview()
  await review.open({ deviceId: device.id, name: device.name, changes, edits: new Map() })
  const release = core.hold('jobs.items')
  await review.start(true)
  await settle()
  const previous = review.results.has(device.id)
  review.putAway(device.id)
  release()
  await settle()
  expect([previous, review.results.size]).toEqual([true, 0])
})
