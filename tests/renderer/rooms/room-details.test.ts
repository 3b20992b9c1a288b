// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import type { WriteReport } from '../../../electron/contract/write.ts'
import { useReboot } from '../../../renderer/rooms/reboot-store.ts'
import { openPage, settle } from '../open-page.ts'

afterEach(() => void (document.body.innerHTML = ''))

async function after(outcome: WriteReport['outcome'] | null): Promise<string> {
  const { words } = await openPage('/rooms/room-2', { unwritten: true, ...(outcome === null ? {} : { reboot: outcome }) })
  if (outcome !== null) {
    const reboot = useReboot()
    await reboot.open('room-2')
    await reboot.confirm(true)
    await settle()
  }
  return words()
}

describe('a room in the drawer', () => {
  it.each<[WriteReport['outcome'], string]>([
    ['accepted', 'The next sync tells whether it is back.'],
    ['unconfirmed', 'A reboot may have happened'],
  ])('tells of a reboot that is %s until the room was read again', async (outcome, told) => {
    expect(await after(outcome)).toContain(told)
  })
  it.each<WriteReport['outcome'] | null>(['refused', null])('tells of none after %s', async (outcome) => {
    const words = await after(outcome)
    expect(words).not.toContain('Rebooting')
    expect(words).not.toContain('may have happened')
  })
  it('asks for the plan when "Reboot room" is pressed', async () => {
    const { button, core } = await openPage('/rooms/room-2')
    await button('Reboot room').trigger('click')
    await settle()
    expect(core.asked.filter((one) => one.channel === 'rooms.rebootPlan').map((one) => one.argument)).toEqual([{ id: 'room-2' }])
  })
  it('lists what was written to it and leads to the journal', async () => {
    const { page, words, button, router } = await openPage('/rooms/room-2')
    const tab = page.findAll('[role=tab]').find((one) => one.text().startsWith('Journal'))
    await tab?.trigger('click')
    expect(words()).toContain('Reboot room · Accepted')
    expect(router.resolve(button('Show in journal').attributes('href')?.replace('#', '') ?? '').query['subject']).toBe('room-2')
  })
})
