import { createServer, type AddressInfo, type Server } from 'node:net'
import { expect, test, type Page } from '@playwright/test'
import type { MethodName } from '../../electron/contract/rpc-client.ts'
import { standBetween, type HostileService } from '../hostile-service.ts'
import { callCore, valueOf } from './core-behind.ts'
import { answerWith, chooseFolder } from './desktop-answers.ts'
import { closeOverlay, openOverlay, overlays } from './dialogs.ts'
import { openPage, pageOfOne, pages } from './pages.ts'
import {
  connect,
  newHome,
  startProgram,
  startService,
  type Home,
  type Program,
  type Service,
} from './program.ts'

let home: Home
let program: Program
let service: Service
let hostile: HostileService
/** Any connection to this server was caused by a hostile name. */
let trap: Server
let connections: number
let made: Made

/**
 * A name that would have an effect if it were not treated as text: each of these in turn, after a button, a
 * field and a link that every name contains.
 */
const more = [
  '<iframe data-planted srcdoc="<p>x</p>"></iframe>',
  '<style data-planted>main{display:none}</style>',
  '<base data-planted href="TRAP">',
  '<meta data-planted http-equiv="refresh" content="0;url=TRAP">',
  '<form data-planted action="TRAP"></form>',
  '<svg data-planted><animate onbegin="planted=1" attributeName="x"/></svg>',
  '<details data-planted open ontoggle="planted=1">x</details>',
  '<a data-planted href="TRAP" ping="TRAP">x</a>',
  '<object data-planted data="TRAP"></object>',
  '<video data-planted poster="TRAP" src="TRAP"></video>',
  '"><b data-planted>x</b>',
  "' data-planted autofocus onfocus='planted=1",
  '</textarea></title></script><b data-planted>x</b>',
  '&lt;b data-planted&gt;',
  '{{ planted }} {n} {name} | @:app.title %s $&',
  '=1+1 javascript:planted=1',
]
const nameEnding = (number: number, address: string): string =>
  `<button data-planted class="button primary" autofocus>Reboot confirmed</button><input data-planted autofocus><img data-planted src="TRAP" onerror="planted=1"><link data-planted rel="preconnect" href="TRAP">${more[number % more.length]}`.replaceAll(
    'TRAP',
    address,
  )

// Both tests only read.
test.beforeAll(async () => {
  home = newHome()
  connections = 0
  trap = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/x`
  service = await startService('--devices', '80', '--rooms', '8', '--fault', 'damaged-records=0.03')
  hostile = await standBetween(service, (number) => nameEnding(number, address))
  program = await startProgram(home)
  await watchForPlanted(program.page)
  await connect(program.page, { ...service, ...hostile }, 'Nordlys <b data-planted>A/S</b>')
  await expect(program.page.getByRole('contentinfo').getByText('Synced at')).toBeVisible()
  made = await work()
})
test.afterAll(async () => {
  await answerWith(program.app, 'Quit')
  await program.close()
  await hostile.stop()
  await service.end()
  trap.close()
  home.remove()
})

interface Watched {
  plantedElements: string[]
  planted?: unknown
}

/** Records every injected element, even one that exists only for a moment. */
const watchForPlanted = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const watched = globalThis as unknown as Watched
    watched.plantedElements = []
    const note = (element: Element): void => {
      for (const one of [element, ...element.querySelectorAll('*')])
        if (one.hasAttribute('data-planted') || ['IFRAME', 'OBJECT', 'VIDEO', 'BASE'].includes(one.tagName))
          watched.plantedElements.push(one.outerHTML.slice(0, 120))
    }
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) if (node instanceof Element) note(node)
    }).observe(document, { subtree: true, childList: true })
  })

interface Found {
  /** Whether a hostile name is shown at all, as text. */
  readonly shown: boolean
  readonly elements: readonly string[]
  readonly focusIsOurs: boolean
  readonly ran: unknown
}
const look = (page: Page): Promise<Found> =>
  page.evaluate(() => {
    const watched = globalThis as unknown as Watched
    const focused = document.activeElement
    return {
      shown:
        // A file name contains no special characters.
        /Reboot confirmed(?:<\/|--)button/.test(document.body.textContent) ||
        [...document.querySelectorAll('textarea')].some((one) => one.value.includes('Reboot confirmed')),
      elements: watched.plantedElements.concat(
        [...document.querySelectorAll('[data-planted], link[rel="preconnect"], iframe')].map((one) =>
          one.outerHTML.slice(0, 120),
        ),
      ),
      focusIsOurs: focused?.hasAttribute('data-planted') !== true,
      ran: watched.planted ?? null,
    }
  })

/** Expects that every name is only text. `shown` false: the page need not contain a name of the service. */
async function expectText(where: string, shown = true): Promise<void> {
  const { page } = program
  if (shown) await expect.poll(async () => [where, (await look(page)).shown]).toEqual([where, true])
  const { elements, focusIsOurs, ran } = await look(page)
  expect({ where, elements, focusIsOurs, ran, connections }).toEqual({
    where,
    elements: [],
    focusIsOurs: true,
    ran: null,
    connections: 0,
  })
}

/** Calls the contract as the page does. */
const ask = async <T>(method: MethodName, argument?: unknown): Promise<T> =>
  (await valueOf(callCore(program.page, method, argument))) as T

interface Made {
  readonly device: Row
  readonly room: Row
  readonly job: string
  readonly golden: string
}
type Row = { readonly id: string; readonly productId: number | null }
const own = '<b data-planted>mine</b>'
const noName = new Set([
  'help',
  'firmware?part=approved',
  'firmware?part=kits',
  'recovery',
  'explorer',
  'organizations',
  'preferences',
  'preferences/connections',
])

/**
 * Does what a technician does: a reboot of a room, a job of two rooms, tags, a view, a golden profile, a
 * file, and changes between two syncs.
 */
async function work(): Promise<Made> {
  const { rows: rooms } = await ask<{ rows: readonly Row[] }>('rooms.list', {
    where: 'online:>1',
    sort: [],
    start: 0,
    count: 3,
  })
  const { rows: devices } = await ask<{ rows: readonly Row[] }>('devices.slice', {
    where: 'product:"PanaCast 50" status:online',
    sort: [],
    start: 0,
    count: 1,
  })
  const [device, room] = [devices[0]!, rooms[0]!]
  const alone = { kind: 'picked', ids: [room.id] }
  const selection = { kind: 'picked', ids: rooms.slice(1).map(({ id }) => id) }
  const terms = { startAt: null, window: null, keepTrying: false, canary: false }
  const plan = await ask<Row>('jobs.plan', {
    ...terms,
    work: { kind: 'reboot-rooms', of: 'rooms', selection },
  })
  const one = await ask<Row>('jobs.plan', {
    ...terms,
    work: { kind: 'reboot-rooms', of: 'rooms', selection: alone },
  })
  await answerWith(program.app, 'Start')
  await ask('jobs.start', { plan: one.id, unlock: true, typed: null })
  const job = await ask<Row>('jobs.start', { plan: plan.id, unlock: true, typed: null })
  const { settings } = await ask<{ settings: readonly { name: string; value: unknown }[] }>(
    'devices.settings',
    { id: device.id, refresh: true },
  )
  const wanted = settings
    .filter(({ value }) => typeof value === 'string' || typeof value === 'boolean')
    .slice(0, 3)
  const golden = await ask<Row>('goldenProfiles.save', {
    id: null,
    name: own,
    productId: device.productId,
    variantType: null,
    settings: wanted.map(({ name, value }) => ({ name, value })),
  })
  await ask('tags.change', { selection: { kind: 'picked', ids: [device.id] }, add: [own], remove: [] })
  await ask('views.save', { list: 'devices', name: own, where: `room:"${own}"`, sort: [], columns: null })
  await chooseFolder(program.app, home.folder)
  await ask('downloads.chooseFolder')
  await ask('downloads.start', {
    vendorId: 2830,
    productId: 2115,
    version: '1.5.0',
    buildType: null,
    folder: home.folder,
    acceptChanged: null,
    acceptRevoked: false,
  })
  await expect
    .poll(async () =>
      (await ask<{ downloads: readonly { state: string }[] }>('downloads.list')).downloads.map(
        ({ state }) => state,
      ),
    )
    .toEqual(['done'])
  hostile.rename()
  await ask('sync.run')
  return { device, room, job: job.id, golden: golden.id }
}

test('service data is text on every page, in every drawer and dialog, and causes no request', async () => {
  const { page } = program
  for (const [address, there] of pages) {
    await openPage(page, address, address === 'golden-profiles' ? '[role="gridcell"]' : there)
    await expectText(address, !noName.has(address))
  }

  const { device, room, job, golden } = made
  const product = `2830/${device.productId}`
  for (const [address, there] of [
    [`devices/${device.id}`, '[role="complementary"], aside'],
    [`device/${device.id}`, pageOfOne],
    [`rooms/${room.id}`, '[role="complementary"], aside'],
    [`room/${room.id}`, pageOfOne],
    [`firmware/${product}`, 'main h1'],
    [`definitions/${product}`, 'main h2'],
    [`release-notes/${product}`, 'main h2'],
    ['jobs', 'main h1'],
    [`jobs/${job}`, 'main h1'],
    [`golden-profiles/${golden}`, 'main h1'],
  ] as const) {
    await openPage(page, address, there)
    await expectText(address)
    for (const tab of await page.getByRole('main').getByRole('tablist').last().getByRole('tab').all()) {
      await tab.click()
      await expectText(`${address}, ${await tab.innerText()}`, false)
    }
  }

  await openPage(page, 'journal', '[role="gridcell"]')
  await page.getByRole('grid').getByRole('row').nth(1).click()
  await expectText('a line of the journal')
  await openPage(page, 'changes', 'main h2')
  await page.getByRole('main').getByRole('button', { expanded: false }).first().click()
  await expectText('the changes of a group')

  for (const operation of ['ListDevices', 'ListMeetingRooms', 'GetProductGroupBundles', 'GetTelemetry']) {
    await openPage(page, `explorer/${operation}`, 'main h2')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expectText(`the answer of ${operation}`)
    for (const tab of await page.getByRole('main').getByRole('tab').all()) {
      await tab.click()
      await expectText(`the answer of ${operation}, ${await tab.innerText()}`, false)
    }
  }
  expect(program.pageErrors).toEqual([])
})

test('service data is text in every menu, list and message above a page', async () => {
  const { page } = program
  for (const overlay of overlays) {
    const opened = await openOverlay(page, overlay)
    await expectText(overlay.name, false)
    await closeOverlay(page, opened)
  }

  await openPage(page, 'rooms', '[role="grid"]')
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('panacast')
  await expect(page.getByRole('option', { name: /planted/ }).first()).toBeVisible()
  await expectText('what the palette finds')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')

  await openPage(page, 'devices', '.grid-row .mark')
  for (const key of ['room:', 'user:', 'product:', 'tag:', 'os:']) {
    await page.locator('main h1').focus()
    await page.keyboard.press('/')
    await page.keyboard.type(key)
    await expect(page.getByRole('option', { name: /planted/ }).first()).toBeVisible()
    await expectText(`suggestions for ${key}`)
    await page.getByRole('button', { name: 'Clear filter', exact: true }).first().click()
  }
  for (const funnel of await page.getByRole('button', { name: /^Filter / }).all()) {
    await funnel.click()
    await expect(page.getByRole('dialog', { name: /Filter by/ })).toBeVisible()
    await expectText((await funnel.getAttribute('aria-label')) ?? '')
    await page.keyboard.press('Escape')
  }
  await page.getByRole('checkbox', { name: 'Select all that match' }).click()
  for (const action of ['Reboot rooms…', 'Change settings…', 'Tag…']) {
    await page.getByRole('region', { name: 'Selected devices' }).getByRole('button', { name: action }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectText(action)
    // A second click would clear the selection.
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  expect(program.pageErrors).toEqual([])
})
