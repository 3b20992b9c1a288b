import { mount, type VueWrapper } from '@vue/test-utils'
import { expect, it, onTestFinished } from 'vitest'
import { openOutsideKey } from '../../../renderer/components/outside.ts'
import NewerVersionDialog from '../../../renderer/layout/NewerVersionDialog.vue'
import NoticeStrips from '../../../renderer/layout/NoticeStrips.vue'
import ProxySignInDialog from '../../../renderer/layout/ProxySignInDialog.vue'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { openCore, settle } from '../core.ts'
import { textIn } from '../page.ts'

const newer = {
  version: '1.2.0',
  date: '2026-11-20',
  notes: 'Faster lists.\n<img src=x>',
  page: 'https://updates.example.com/headroom',
}
const failure = {
  kind: 'offline',
  call: { operation: 'CONNECT', host: null },
  message: '',
  via: { host: 'proxy', port: 8080 },
  reason: 'sign-in-wanted',
  sent: false,
} as const
const plain = { status: null, problems: [], syncFailure: null, notes: [], syncing: false, newer: null }
const strips = (props: object): VueWrapper =>
  mount(NoticeStrips, { props: { ...plain, ...props }, global: { plugins: [i18n] } })
const inDialog = (name: string): HTMLButtonElement =>
  [...document.querySelectorAll('button')].find((one) => one.textContent.trim() === name)!

it('a newer version has a strip that opens its notes or is hidden', async () => {
  const shown = strips({ newer })
  const [open, hide] = shown.findAll('button')
  await open?.trigger('click')
  await hide?.trigger('click')
  expect([shown.text(), shown.emitted()]).toMatchObject([
    'Headroom 1.2.0 is availableWhat is new',
    { newer: [[]], hide: [['newer 1.2.0']] },
  ])
})

it('many notes leave room for the page, until the others are wanted', async () => {
  const notes = Array.from({ length: 12 }, (_, at) => `Approval ${at} has expired.`)
  const shown = strips({ notes })
  const before = shown.findAll('.strip').map((one) => one.text())
  await shown.get('.linkish').trigger('click')
  expect([before, shown.findAll('.strip').map((one) => one.text())]).toEqual([
    [...notes.slice(0, 3), 'Show 9 more notices'],
    notes,
  ])
})

it('the notes of a newer version are text, and its page is opened outside', async () => {
  await openCore({ organization: 'none' })
  const opened: string[] = []
  const dialog = mount(NewerVersionDialog, {
    props: { newer },
    attachTo: document.body,
    global: {
      plugins: [i18n],
      provide: { [openOutsideKey as symbol]: async (url: string) => void opened.push(url) },
    },
  })
  onTestFinished(() => dialog.unmount())
  await settle()
  const box = document.querySelector('[role=dialog]')!
  inDialog('Open the page').click()
  expect([textIn(box).includes('<img src=x>'), box.querySelector('img'), opened]).toEqual([
    true,
    null,
    ['https://updates.example.com/headroom'],
  ])
})

it('a proxy that wants a sign-in has a strip that asks for it', async () => {
  const shown = strips({ problems: [{ id: 'proxy-sign-in', failure, since: 0, done: null }] })
  await shown.findAll('button')[0]?.trigger('click')
  expect([shown.text(), shown.emitted('signIn')]).toEqual([
    'The proxy proxy:8080 requires a sign-in before it connects to the service.Nothing was sent. Sign in to the proxy.Sign in…',
    [[]],
  ])
})

it('the sign-in of a proxy needs a user name', async () => {
  await openCore({ organization: 'none' })
  const dialog = mount(ProxySignInDialog, {
    props: { proxy: 'proxy:8080' },
    attachTo: document.body,
    global: { plugins: [i18n] },
  })
  onTestFinished(() => dialog.unmount())
  await settle()
  const [user, password] = [...document.querySelectorAll<HTMLInputElement>('[role=dialog] input')]
  const type = (field: HTMLInputElement | undefined, text: string): void => {
    field!.value = text
    field!.dispatchEvent(new Event('input'))
  }
  const submit = async (): Promise<void> => {
    document.querySelector('form')!.requestSubmit()
    await settle()
  }
  type(password, 'secret')
  await submit()
  const refused = [document.querySelector('[role=alert]')?.textContent, dialog.emitted('signIn')]
  type(user, 'ann')
  await submit()
  expect([refused, password?.type, dialog.emitted('signIn')]).toEqual([
    ['Enter the user name.', undefined],
    'password',
    [[{ user: 'ann', password: 'secret' }]],
  ])
})

it('a sync that failed because of a proxy says so, although the strip for being offline is there', async () => {
  const { handlers } = await openCore()
  const status = { ...(await handlers.app.status()), connection: 'offline', connectionAt: null } as const
  const refused = {
    ...failure,
    call: { operation: 'ListDevices', host: 'api.example.com' },
    reason: 'refused',
  }
  const withoutProxy = { kind: 'offline', call: refused.call, message: 'no network' }
  const [named, plainly] = [refused, withoutProxy].map((syncFailure) =>
    strips({ status, syncFailure }).text(),
  )
  expect([named?.includes('The proxy proxy:8080 does not connect to api.example.com.'), plainly]).toEqual([
    true,
    expect.stringMatching(/^Offline\. All data shown was read [^.]+\.$/),
  ])
})
