import { expect, it, vi } from 'vitest'
import { settle } from '../core.ts'
import { openPage, textIn } from '../page.ts'

it('a room is printed on one sheet: its note, the code of its link, and its devices with serial, firmware, status and time', async () => {
  const print = vi.fn()
  vi.stubGlobal('print', print)
  const { core, router, button } = await openPage('/room/none')
  const { rows } = await core.handlers.rooms.list({ where: '', sort: [], start: 0, count: 1 })
  const { id, name } = rows[0]!
  await core.handlers.rooms.setNote({ id, note: 'Ask at the desk.\nMind the step.' })
  const { devices } = await core.handlers.rooms.get({ id })
  await router.push({ name: 'room', params: { id } })
  await settle()
  await button('Print…').trigger('click')
  await settle()
  const sheet = document.querySelector('.paper-sheet')!
  expect([
    print.mock.calls.length,
    sheet.querySelector('h1')?.textContent,
    sheet.querySelector('.note')?.textContent,
    [...sheet.querySelectorAll('tbody tr')].map((row) =>
      [...row.querySelectorAll('td')].slice(1).map((cell) => cell.textContent),
    ),
    textIn(sheet.querySelector('.code')!),
  ]).toEqual([
    1,
    name,
    'Ask at the desk.\nMind the step.',
    devices!.map(({ serialNumber, firmwareVersion, status }) => [
      serialNumber,
      firmwareVersion,
      status === 'online' ? 'Online' : expect.any(String),
      '19 Nov 2026 09:27',
    ]),
    `Opens this room in Headroom headroom://room/${id}?in=Nordlys%20A%2FS`,
  ])
  window.dispatchEvent(new Event('afterprint'))
  await settle()
  expect(document.querySelector('.paper-sheet')).toBeNull()
})
