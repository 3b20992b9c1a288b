import { describe, expect, it } from 'vitest'
import { deviceLabel } from '../../../electron/contract/device-name.ts'
import type { JournalLine, JournalQuery } from '../../../electron/contract/api/journal.ts'
import type { WireResponse, WireFault } from '../../../electron/core/platform.ts'
import { openJournal } from '../../../electron/core/journal/journal.ts'
import { useExports } from '../../../renderer/exports/exports-store.ts'
import { useJournal } from '../../../renderer/journal/journal-store.ts'
import { answer } from '../../fake-transport.ts'
import { devicesOf, settle, type TestCore } from '../core.ts'
import { gridLines, gridTexts, withSize } from '../lists/a-grid.ts'
import { openPage, textIn } from '../page.ts'
import { rebootRoom } from '../../reboot-room.ts'

const broken: WireFault = { kind: 'fault', sent: 'maybe', reason: 'broken', message: 'reset' }
const roomsOf = async ({ handlers }: TestCore) =>
  (await handlers.rooms.list({ where: '', sort: [], start: 0, count: 10 })).rows

/** Changes one setting of a headset with a job; `fourWrites` makes the other writes. */
async function changeSetting(core: TestCore): Promise<void> {
  const { jobs } = core.handlers
  const [device] = await devicesOf(core, 'status:online product:"Evolve2 65 Stereo"')
  const plan = await core.finish(
    jobs.plan({
      work: {
        kind: 'change-settings',
        selection: { kind: 'picked', ids: [device!.id] },
        changes: [{ name: 'sidetoneLevelEnum', value: 'plus3dB' }],
      },
      startAt: null,
      window: null,
      keepTrying: false,
      canary: false,
    }),
  )
  const { id } = await jobs.start({ plan: plan.id, unlock: true, typed: null })
  while ((await jobs.get({ id })).counts.done === 0) await core.advance(1_000)
}

/**
 * Reboots the first rooms of the list; each reboot call gets the next of these responses, or for null that of
 * the service.
 */
async function reboot(core: TestCore, answers: readonly (WireResponse | WireFault | null)[]): Promise<void> {
  const left = [...answers]
  core.service.script('/reboot', () => left.shift() ?? null)
  const rooms = await roomsOf(core)
  for (const [place] of answers.entries()) await core.finish(rebootRoom(core.handlers.jobs, rooms[place]!.id))
}

/** Reboots all rooms with one job. */
async function rebootAll(core: TestCore): Promise<void> {
  const { jobs } = core.handlers
  const plan = await core.finish(
    jobs.plan({
      work: { kind: 'reboot-rooms', of: 'rooms', selection: { kind: 'matching', where: '', except: [] } },
      startAt: null,
      window: null,
      keepTrying: false,
      canary: false,
    }),
  )
  const { id } = await jobs.start({ plan: plan.id, unlock: true, typed: plan.typeNumber })
  while ((await jobs.get({ id })).state !== 'ended') await core.advance(10_000)
}

/** A change of settings, then a reboot that was accepted, one without a response and one that was rejected. */
async function fourWrites(core: TestCore): Promise<void> {
  await changeSetting(core)
  await reboot(core, [null, broken, answer(403, { statusCode: 403, message: 'It may not do this.' })])
}
/** Lines that another program wrote earlier; `ended`: with their ends. */
async function writesOfBefore(core: TestCore, count: number, ended = true): Promise<void> {
  const workbook = core.databases.opened('workbook')
  const journal = openJournal({
    workbook: {
      query: (...query) => workbook.query(...query),
      write: (work) => workbook.write(work),
      storageProblem: () => null,
    },
    clock: core.clock,
    who: 'm.ito',
  })
  const { organizations } = await core.handlers.organizations.list()
  const [room] = await roomsOf(core)
  for (let number = 1; number <= count; number++) {
    const id = await journal.begin({
      organization: organizations[0]!,
      operation: 'RebootRoom',
      target: { of: 'room', id: room!.id, name: room!.name },
      deviceIds: [],
      before: null,
      after: null,
    })
    if (ended) await journal.end(id, { outcome: 'accepted', status: 200, message: null })
  }
}
const lines = async ({ handlers }: TestCore, where = ''): Promise<readonly JournalLine[]> =>
  (await handlers.journal.list({ where, subjectId: null, start: 0, count: 500 })).lines
const openLines = () => openPage('/journal', {}, fourWrites)
/** Opens the only one of four lines that a filter matches. */
async function openLine(where: string): Promise<void> {
  const { core, router } = await openLines()
  const [line] = await lines(core, where)
  await router.push({ name: 'journal', params: { id: line!.id } })
  await settle()
}

describe('the Journal page', () => {
  it('shows how many writes there are', async () => {
    const { words } = await openLines()
    expect(words()).toContain('4 actions, newest first')
  })
  it('shows the actions of a job as one entry, and each of them when it is opened', async () => {
    withSize(1_200, 600)
    const { words, button } = await openPage('/journal', {}, async (core) => {
      await reboot(core, [null])
      await rebootAll(core)
    })
    const folded = gridTexts().map(([, ...cells]) => cells.slice(0, 3))
    gridLines()[0]!.querySelector<HTMLElement>('[role="gridcell"]')!.click()
    await settle()
    const { where, total, line } = useJournal()
    expect(gridTexts()[0]![0]).toMatch(/^\d\d:\d\d:\d\d$/)
    expect([
      folded,
      words().includes('6 actions match'),
      document.querySelector('.filter-chip .value')?.textContent,
      where,
      total,
      line,
    ]).toEqual([
      [
        ['Reboot room', '6 rooms', '6 accepted'],
        ['Reboot room', expect.any(String), 'Accepted'],
      ],
      true,
      'Reboot 6 rooms',
      expect.stringMatching(/^job:/),
      6,
      null,
    ])
    await button('By job').trigger('click')
    await settle()
    expect([useJournal().where, gridTexts().length]).toEqual(['', 2])
  })
  it('explains its purpose before anything was written', async () => {
    const { words } = await openPage('/journal')
    expect(words()).toContain('No actions yet')
  })
  it('shows a single room by its address, and all again', async () => {
    const { words, page, router, core } = await openLines()
    const journal = useJournal()
    const [room] = await roomsOf(core)
    await router.push({ name: 'journal', query: { subject: room!.id, name: room!.name } })
    await settle()
    expect(words()).toContain(`Only ${room!.name}`)
    expect([journal.subjectId, journal.total]).toEqual([room!.id, 1])
    await page.find('.chip.subject').trigger('click')
    await settle()
    expect([journal.subjectId, journal.total]).toEqual([null, 4])
  })
  it('uses the filter language of every list', async () => {
    const { words } = await openPage(
      '/journal?where=operation%3Asettings%20outcome%3Aaccepted',
      {},
      fourWrites,
    )
    expect(useJournal().where).toBe('operation:settings outcome:accepted')
    expect(words()).toContain('1 action matches')
  })
  it('counts the writes with an unknown end, and shows only them on demand', async () => {
    const { page } = await openLines()
    const journal = useJournal()
    expect(page.find('.chip.check').text()).toBe('1 to check')
    await page.find('.chip.check').trigger('click')
    await settle()
    expect([journal.where, journal.total]).toEqual(['outcome:unknown,unconfirmed', 1])
    await page.find('.chip.check').trigger('click')
    await settle()
    expect(journal.total).toBe(4)
  })
  it('exports what is shown', async () => {
    const { button, router, core } = await openLines()
    const [room] = await roomsOf(core)
    const subjectId = room!.id
    await router.push({ name: 'journal', query: { subject: subjectId, where: 'operation:reboot' } })
    await settle()
    await button('Export').trigger('click')
    const { offer } = useExports()
    expect(offer?.choices.map(({ subject, count }) => [subject, count])).toEqual([
      [{ of: 'journal', where: 'operation:reboot', subjectId, sort: [] }, 1],
    ])
  })
  const facts = (): Map<string, string> =>
    new Map(
      [...document.querySelectorAll('aside .facts dt')].map((one) => [
        textIn(one),
        textIn(one.nextElementSibling!),
      ]),
    )
  it('shows the request of an action only if its path is published', async () => {
    await openLine('operation:settings')
    const ofSettings = facts().has('Request')
    await openLine('operation:reboot outcome:accepted')
    expect([
      ofSettings,
      facts().get('Request')?.replaceAll(' ', '').startsWith('POST/meetingrooms/'),
    ]).toEqual([false, true])
  })
  it.each([
    ['outcome:accepted', 'HTTP status 200 after 0 ms'],
    ['outcome:refused', 'HTTP status 403 after 0 ms'],
    ['outcome:unconfirmed', 'No answer after 0 ms'],
  ])('shows the answer of %s', async (where, said) => {
    await openLine(`operation:reboot ${where}`)
    expect(
      facts()
        .get('Answer')
        ?.replace(/\d+ ms/, '0 ms'),
    ).toBe(said)
  })
  it('shows no answer of what was never sent', async () => {
    await openPage('/journal/1', {}, (core) =>
      reboot(core, [{ sent: 'no', reason: 'broken', message: 'reset', kind: 'fault' }]),
    )
    expect([facts().size > 0, facts().get('Answer')]).toEqual([true, undefined])
  })
  it('shows old and new values side by side, with its job', async () => {
    await openLine('operation:settings')
    const [, id] = /devices\/([^/?]+)/.exec(
      document.querySelector('aside .about a')?.getAttribute('href') ?? '',
    )!
    const drawer = (document.querySelector('aside')?.textContent ?? '').replaceAll(/\s+/g, ' ')
    for (const reported of ['sidetoneLevelEnum', id, 'Open the job']) expect(drawer).toContain(reported)
    const cells = [...document.querySelectorAll('aside .values tbody tr > *')].map((one) => one.textContent)
    expect(cells).toEqual(['Sidetone level sidetoneLevelEnum', '−3 dB', '+3 dB'])
  })
  it('names the only device of a write once, as the link to it', async () => {
    await openLine('operation:settings')
    const links = [...document.querySelectorAll('aside a')].filter((one) =>
      one.getAttribute('href')?.startsWith('#/devices/'),
    )
    expect(links).toHaveLength(1)
    expect(document.querySelector('aside')?.textContent?.split(links[0]!.textContent ?? '')).toHaveLength(2)
  })
  it('requests later slices from the last entry above, not by a large offset', async () => {
    const { core } = await openPage('/journal', {}, (opened) => writesOfBefore(opened, 450))
    const journal = useJournal()
    journal.foldByJob(false)
    await settle()
    const requested = core.argumentsOf('journal.list').length
    await journal.startOver()
    journal.need(0, 210)
    await settle()
    journal.need(200, 420)
    await settle()
    expect(
      core
        .argumentsOf('journal.list')
        .slice(requested)
        .map((query) => query as JournalQuery)
        .filter(({ count }) => count > 0)
        .map(({ before, start }) => [before, start]),
    ).toEqual([
      [undefined, 0],
      [251, 0],
      [51, 0],
    ])
    expect([0, 200, 449].map((index) => journal.rowAt(index)?.id)).toEqual([450, 250, 1])
  })
  it('requests later slices by position in another order', async () => {
    const { core } = await openPage('/journal', {}, (opened) => writesOfBefore(opened, 450))
    const journal = useJournal()
    journal.foldByJob(false)
    await settle()
    journal.sort = [{ column: 'line', descending: false }]
    await settle()
    const requested = core.argumentsOf('journal.list').length
    journal.need(200, 420)
    await settle()
    expect(
      core
        .argumentsOf('journal.list')
        .slice(requested)
        .map((query) => query as JournalQuery)
        .map(({ before, start }) => [before, start]),
    ).toEqual([
      [undefined, 200],
      [undefined, 400],
    ])
    expect([0, 200, 449].map((index) => journal.rowAt(index)?.id)).toEqual([1, 201, 450])
  })
  it('requests a filter that changes while one is in flight', async () => {
    const { core } = await openLines()
    const journal = useJournal()
    const release = core.hold('journal.list')
    journal.where = 'outcome:refused'
    await settle()
    journal.where = 'outcome:accepted operation:reboot'
    await settle()
    release()
    await settle()
    expect([journal.total, journal.rowAt(0)?.outcome]).toEqual([1, 'accepted'])
  })
  it('does not reopen an entry that was left during its reload', async () => {
    const { core } = await openLines()
    const journal = useJournal()
    const [first, second] = await lines(core)
    await journal.open(first!.id)
    const release = core.hold('journal.list')
    const reading = journal.again()
    await journal.open(second!.id)
    release()
    await reading
    expect(journal.line?.id).toBe(second!.id)
  })
  it('offers to clear a filter that hides everything', async () => {
    const { words, button } = await openLines()
    useJournal().where = 'nobody'
    await settle()
    expect(words()).toContain('No actions match')
    await button('Clear filter').trigger('click')
    await settle()
    expect(useJournal().total).toBe(4)
  })
  it.each([
    ['outcome:accepted operation:reboot', 'Reboot room', 'Accepted.'],
    [
      'outcome:unconfirmed',
      'Reboot room',
      'Sent, but no answer came. It may have happened. Headroom did not send it again.',
    ],
    ['outcome:refused', 'Reboot room', 'Nothing was changed.'],
  ])('opens the entry of %s and shows how it ended', async (where, operation, sentence) => {
    await openLine(where)
    const drawer = textIn(document.querySelector('aside')!)
    expect([drawer.includes(operation), drawer.includes(sentence)]).toEqual([true, true])
  })
  it('opens an entry whose program ended and shows that its end is unknown', async () => {
    const { words } = await openPage('/journal/1', {}, async (core) => {
      await writesOfBefore(core, 1, false)
      // Longer than a write can be in flight.
      core.sleep(130_000)
    })
    expect(words()).toContain('Headroom ended while sending it. It may have happened.')
  })
  it('shows when the entry of an address does not exist', async () => {
    const { words } = await openPage('/journal/99999')
    expect(words()).toContain('This organization has no such journal entry.')
  })
  it('shows a failure beside its data', async () => {
    const { words } = await openPage('/journal', {}, (core) =>
      core.fail('journal.list', {
        kind: 'cache-unusable',
        file: 'workbook.sqlite',
        reason: 'damaged',
        message: '',
      }),
    )
    expect(words()).toContain('The file workbook.sqlite is damaged.')
  })
  it('adds a new entry on its event', async () => {
    const { core } = await openPage('/journal')
    await reboot(core, [null])
    await settle()
    expect(useJournal().total).toBe(1)
  })
  it('names the devices of a write, keeps the id of an unknown one, and folds a long list', async () => {
    const { core, button } = await openPage('/journal/1', {}, async (opened) => {
      const seven = (await devicesOf(opened)).slice(0, 7)
      // The devices that the service lists in the room.
      opened.service.alter('/meetingrooms/api/meetingrooms/', (room: object) => ({
        ...room,
        devices: ['NOBODY', ...seven.map(({ id }) => id)].map((id) => ({
          id,
          deviceConnectionStatus: 'Online',
        })),
      }))
      await reboot(opened, [null])
    })
    const listed = (): (string | null | undefined)[] =>
      [...document.querySelectorAll('aside .devices a')].map((one) => one.textContent)
    const room = document.querySelector('aside .about')!.textContent.trim()
    const known = new Map(
      (await devicesOf(core)).map((device) => [
        device.id,
        // The room that all of them are in stands above.
        device.room?.name === room ? `${device.productName} · ${device.serialNumber}` : deviceLabel(device),
      ]),
    )
    const [line] = await lines(core)
    const ids = line!.deviceIds
    const all = ids.map((id) => known.get(id) ?? id)
    expect([ids.includes('NOBODY'), all.length > 6]).toEqual([true, true])
    expect(textIn(document.querySelector('aside .devices h3')!)).toBe(`${all.length} devices affected`)
    expect(listed()).toEqual(all.slice(0, 6))
    await button(`Show all ${all.length}`).trigger('click')
    await settle()
    expect(listed()).toEqual(all)
    expect(document.querySelectorAll('aside .devices [aria-label="Copy ID"]')).toHaveLength(all.length)
    await button('Show fewer').trigger('click')
    expect(listed()).toEqual(all.slice(0, 6))
  })
})
