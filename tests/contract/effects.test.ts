import { expect, test } from 'vitest'
import { api } from '../../electron/contract/api.ts'
import type { Effect, Event, Method } from '../../electron/contract/method.ts'

const named = (effect: Effect): readonly string[] =>
  Object.entries<Readonly<Record<string, Method | Event>>>(api).flatMap(([feature, members]) =>
    Object.entries(members)
      .filter(([, member]) => member.kind === 'method' && member.effect === effect)
      .map(([key]) => `${feature}.${key}`),
  )

test('names the methods that a client without their result does not call again', () => {
  expect({ local: named('local'), write: named('write'), window: named('window') }).toEqual({
    local: [
      'app.setPreferences',
      'changes.look',
      'devices.setNote',
      'downloads.start',
      'explorer.saveExample',
      'explorer.removeExample',
      'firmware.approve',
      'firmware.unapprove',
      'firmware.compareWith',
      'goldenProfiles.save',
      'goldenProfiles.remove',
      'lists.paste',
      'lists.remove',
      'metadata.clearCache',
      'organizations.add',
      'organizations.update',
      'organizations.use',
      'organizations.remove',
      'organizations.setKey',
      'organizations.forgetKey',
      'organizations.useKey',
      'organizations.keyRegenerated',
      'rooms.setNote',
      'rooms.setSite',
      'rooms.chooseSites',
      'tags.change',
      'tags.rename',
      'tags.remove',
      'tags.undo',
      'views.save',
      'views.rename',
      'views.remove',
      'webhooks.validate',
    ],
    write: ['budget.tryNow', 'devices.setSettings', 'explorer.run', 'jobs.start', 'jobs.resume'],
    window: [
      'app.openOutside',
      'app.copy',
      'app.signInToProxy',
      'downloads.show',
      'downloads.chooseFolder',
      'exports.start',
      'exports.show',
    ],
  })
})
