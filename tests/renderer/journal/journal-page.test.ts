import { describe, expect, it } from 'vitest'
import { done } from '../../../electron/contract/failure.ts'
import type { JournalPage, JournalQuery } from '../../../electron/contract/api/journal.ts'
import { useExports } from '../../../renderer/exports/exports-store.ts'
import { useJournal } from '../../../renderer/journal/journal-store.ts'
import { aFleet } from '../double/fleet.ts'
import { openPage, settle } from '../open-page.ts'

describe('the Journal page', () => {
  it('says how many writes there are', async () => {
    const { words } = await openPage('/journal')
    expect(words()).toContain('24 writes, newest first')
  })
  it('tells what it is for before anything was written', async () => {
    const { words } = await openPage('/journal', { unwritten: true })
    expect(words()).toContain('Nothing was written yet')
  })
  it('narrows to one room by its address, and to all again', async () => {
    const { words, page } = await openPage('/journal?subject=room-1&name=Aarhus%20Fjord%201')
    const journal = useJournal()
    expect(words()).toContain('Only Aarhus Fjord 1')
    expect(journal.total).toBeLessThan(24)
    await page.find('.chip.subject').trigger('click')
    await settle()
    expect([journal.subjectId, journal.total]).toEqual([null, 24])
  })
  it('is filtered by the language of every list', async () => {
    const { words } = await openPage('/journal?where=operation%3Asettings%20outcome%3Aaccepted')
    const journal = useJournal()
    expect([journal.where, words().includes('write matches') || words().includes('writes match')]).toEqual([
      'operation:settings outcome:accepted',
      true,
    ])
    expect(journal.total).toBeGreaterThan(0)
    expect(journal.total).toBeLessThan(24)
  })
  it('counts the writes whose end nobody knows, and shows them alone on demand', async () => {
    const { page } = await openPage('/journal')
    const journal = useJournal()
    expect(page.find('.chip.check').text()).toBe(`${journal.checkable} to check`)
    await page.find('.chip.check').trigger('click')
    await settle()
    expect([journal.where, journal.total]).toEqual(['outcome:unknown,unconfirmed', journal.checkable])
    await page.find('.chip.check').trigger('click')
    await settle()
    expect(journal.total).toBe(24)
  })
  it('offers what is shown for a file', async () => {
    const { button } = await openPage('/journal?subject=room-1&name=Fjord&where=operation%3Areboot')
    await button('Export').trigger('click')
    const { offer } = useExports()
    expect(offer?.choices.map(({ subject, count }) => [subject, count])).toEqual([
      [{ of: 'journal', where: 'operation:reboot', subjectId: 'room-1' }, useJournal().total],
    ])
  })
  it('sets before and after of a change side by side, with the request and the job it was part of', async () => {
    await openPage('/journal/392')
    const drawer = (document.querySelector('aside')?.textContent ?? '').replaceAll(/\s+/g, ' ')
    for (const told of ['sidetoneLevel', 'PATCH /devices/api/devices/{deviceId}/settings', 'Open the job'])
      expect(drawer).toContain(told)
    const cells = [...document.querySelectorAll('aside .values tbody tr > *')].map((one) => one.textContent)
    expect(cells).toEqual(['sidetoneLevel', '4', '6'])
  })
  it('asks for later windows from the last line of the one above, not by a large start', async () => {
    const { core } = await openPage('/journal')
    const journal = useJournal()
    const lines = Array.from({ length: 450 }, (_none, i) => ({ id: 900 - i }))
    const { call: ask } = core
    const asked: JournalQuery[] = []
    Object.assign(core, {
      call: async (...[channel, argument]: Parameters<typeof ask>) => {
        if (channel !== 'journal.list') return ask(channel, argument)
        const { before = Infinity, start, count } = argument as JournalQuery
        asked.push(argument as JournalQuery)
        return done({ lines: lines.filter(({ id }) => id < before).slice(start, start + count), total: 450 })
      },
    })
    await journal.startOver()
    journal.need(0, 210)
    await settle()
    journal.need(200, 420)
    await settle()
    expect(asked.filter(({ count }) => count > 0).map(({ before, start }) => [before, start])).toEqual([
      [undefined, 0],
      [701, 0],
      [501, 0],
    ])
    expect([journal.lineAt(0)?.id, journal.lineAt(200)?.id, journal.lineAt(449)?.id]).toEqual([900, 700, 451])
  })
  it('offers to clear a filter that hides everything', async () => {
    const { words, button } = await openPage('/journal')
    useJournal().where = 'nobody'
    await settle()
    expect(words()).toContain('No write matches')
    await button('Clear filter').trigger('click')
    await settle()
    expect(useJournal().total).toBe(24)
  })
  it.each([
    [400, 'Reboot room', 'Accepted by the service.'],
    [
      396,
      'Reboot room',
      'It was sent, and no answer came: it may have happened. Headroom did not repeat it.',
    ],
    [393, 'Reboot room', 'Nothing was changed.'],
    [383, 'Change settings', 'Headroom ended before it knew the outcome: it may have happened.'],
  ])('opens line %i and says how it ended', async (id, operation, sentence) => {
    const { words } = await openPage(`/journal/${id}`)
    const drawer = document.querySelector('aside')?.textContent ?? ''
    expect(drawer).toContain(operation)
    expect(words()).toContain(sentence)
  })
  it('says when the line of an address is not there', async () => {
    const { words } = await openPage('/journal/99999')
    expect(words()).toContain('This organization has no such line.')
  })
  it('shows a failure beside what it has', async () => {
    const { words } = await openPage('/journal', {
      failures: {
        'journal.list': { kind: 'cache-unusable', file: 'workbook.sqlite', reason: 'damaged', message: '' },
      },
    })
    expect(words()).toContain('The file workbook.sqlite is damaged.')
  })
  it('takes in a new line when the journal announces one', async () => {
    const { core } = await openPage('/journal', { unlocked: true })
    await core.call('rooms.reboot', { id: 'room-1', unlock: false, wait: false })
    await settle()
    expect(useJournal().total).toBe(25)
  })
  it('names the devices of a write, keeps the id of one that is not known, and folds a long list', async () => {
    const known = aFleet(300, Date.now()).devices.slice(0, 7)
    const ids = ['NOBODY', ...known.map((device) => device.id)]
    const { button } = await openPage('/journal/400', {}, (core) => {
      const { call: ask } = core
      Object.assign(core, {
        call: async (...[channel, argument]: Parameters<typeof ask>) => {
          const outcome = await ask(channel, argument)
          if (channel !== 'journal.list' || !outcome.ok) return outcome
          const page = outcome.value as JournalPage
          return done({ ...page, lines: page.lines.map((line) => ({ ...line, deviceIds: ids })) })
        },
      })
    })
    const listed = (): (string | null | undefined)[] =>
      [...document.querySelectorAll('aside .devices a')].map((one) => one.textContent)
    const all = ['NOBODY', ...known.map((device) => device.name)]
    expect(listed()).toEqual(all.slice(0, 6))
    await button('Show all 8').trigger('click')
    await settle()
    expect(listed()).toEqual(all)
    expect(document.querySelector('aside .devices')?.textContent).toContain(known[6]?.id)
    await button('Show fewer').trigger('click')
    expect(listed()).toEqual(all.slice(0, 6))
  })
})
