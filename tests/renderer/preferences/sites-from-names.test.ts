import { expect, it } from 'vitest'
import type { JsonObject } from '../../../electron/contract/json.ts'
import { settle } from '../core.ts'
import { openPage, textIn } from '../page.ts'

it('the selected separator immediately shows the sites of rooms without a location, with their number of rooms', async () => {
  const { page, core } = await openPage('/preferences/rooms', {}, async ({ service, handlers }) => {
    service.alter('/meetingrooms/', (room: JsonObject) => ({ ...room, locationName: null }))
    const { rows } = await handlers.rooms.list({ where: '', sort: [], start: 0, count: 3 })
    for (const { id } of rows) await handlers.rooms.refresh({ id })
  })
  const statusText = () => textIn(page.get('#preferences-rooms [role=status]').element)
  const previous = statusText()
  await page.get('#preferences-rooms select').setValue(' ')
  await settle()
  const { separator, rooms, offers } = await core.handlers.rooms.sites()
  const { sites, largest, rooms: named } = offers.find((one) => one.separator === ' ')!
  expect([separator, previous, statusText()]).toEqual([
    ' ',
    `${rooms} rooms have no location.`,
    `Sites found: ${sites}, for ${named} of the ${rooms} rooms without a location. ${largest
      .map(({ word, count }) => `${word} ${count}`)
      .join(' ')}`,
  ])
})
