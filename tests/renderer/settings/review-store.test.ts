import { expect, it } from 'vitest'
import type { Setting } from '../../../electron/contract/api/settings.ts'
import { done, type Outcome } from '../../../electron/contract/failure.ts'
import type { JobItem } from '../../../electron/contract/api/jobs.ts'
import { useSettingEdits } from '../../../renderer/settings/edits-store.ts'
import { useSettingsReview } from '../../../renderer/settings/review-store.ts'
import { aCore, settle } from '../open-page.ts'
import { aFleet } from '../double/fleet.ts'

const device = aFleet(300, Date.now()).devices.find((one) => one.room === null && !one.gone)!

it('what was edited again while it was written stays edited, and the rest is done with', async () => {
  const core = aCore()
  const { call: ask } = core
  let ended = false
  Object.assign(core, {
    call: async (...[channel, argument]: Parameters<typeof ask>) => {
      const outcome = (await ask(channel, argument)) as Outcome<{ items: JobItem[]; total: number }>
      if (channel !== 'jobs.items' || !outcome.ok || !ended) return outcome
      return done({
        ...outcome.value,
        items: outcome.value.items.map((item) => ({
          ...item,
          state: 'ended',
          outcome: 'done',
          detail: 'verified',
        })),
      })
    },
  })
  const read = (await core.call('devices.settings', { id: device.id, refresh: false })) as Outcome<{
    settings: readonly Setting[]
  }>
  if (!read.ok) throw new Error('no settings')
  const named = (name: string): Setting => read.value.settings.find((one) => one.name === name)!
  const edits = useSettingEdits()
  const review = useSettingsReview()
  edits.type(device.id, named('sidetoneLevel'), '4')
  edits.type(device.id, named('voicePrompts'), 'tones')
  const changes = [
    { name: 'sidetoneLevel', value: 4 },
    { name: 'voicePrompts', value: 'tones' },
  ]
  await review.open({ deviceId: device.id, name: device.name, changes, edits: edits.editsOf(device.id) })
  await review.start(true)
  await settle()
  edits.type(device.id, named('sidetoneLevel'), '5')
  ended = true
  core.announce('jobs.changed', { ids: [review.told.get(device.id)!.job.id] })
  await settle()
  expect([...edits.editsOf(device.id)].map(([name, { typed }]) => [name, typed])).toEqual([
    ['sidetoneLevel', '5'],
  ])
})
