import { expect, test } from 'vitest'
import { Failed } from '../../electron/contract/failure.ts'
import { openerOutside } from '../../electron/main/open-outside.ts'

interface Rig {
  readonly open: (url: string, isKnown: boolean) => Promise<boolean | string>
  readonly asked: string[]
  readonly opened: string[]
  answer: Promise<boolean>
}
function rig(demonstration: string | null = 'http://127.0.0.1:4711'): Rig {
  const it: Rig = { open: async () => false, asked: [], opened: [], answer: Promise.resolve(true) }
  const open = openerOutside({
    demonstrationOrigin: () => demonstration,
    ask: (address) => {
      it.asked.push(address.host)
      return it.answer
    },
    open: async (url) => void it.opened.push(url),
  })
  return Object.assign(it, {
    open: (url: string, isKnown: boolean) =>
      open(url, isKnown).catch((error: unknown) =>
        error instanceof Failed && error.failure.kind === 'invalid' ? error.failure.field : String(error),
      ),
  })
}

test.each([
  ['https', 'https://support.example/page?x=1#y', 'support.example'],
  ['https with a port', 'https://support.example:8443/', 'support.example:8443'],
  ['the running demonstration', 'http://127.0.0.1:4711/files/a.zip?x=1', '127.0.0.1:4711'],
  [
    'a host that looks like another one is shown in its encoded form',
    'https://xn--spport-4ya.example/',
    'xn--spport-4ya.example',
  ],
])('%s: is confirmed by host, then opened', async (_, url, host) => {
  const it = rig()
  expect([await it.open(url, false), it.asked, it.opened]).toEqual([true, [host], [url]])
})

test('an allowed host is not confirmed again', async () => {
  const it = rig()
  expect([await it.open('https://support.example/', true), it.asked, it.opened]).toEqual([
    true,
    [],
    ['https://support.example/'],
  ])
})

test('declining opens nothing', async () => {
  const it = rig()
  it.answer = Promise.resolve(false)
  expect([await it.open('https://support.example/', false), it.opened]).toEqual([false, []])
})

test.each([
  ['http', 'http://support.example/'],
  ['another port of this computer', 'http://127.0.0.1:4712/'],
  ['another name of this computer', 'http://localhost:4711/'],
  ['a host that begins like the demonstration', 'http://127.0.0.1:4711.support.example/'],
  ['a user name in the address', 'https://someone@support.example/'],
  ['the demonstration’s address as a user name', 'http://127.0.0.1:4711@support.example/'],
  ['a password without a name', 'https://:secret@support.example/'],
  ['a name and password of the demonstration', 'http://a:b@127.0.0.1:4711/'],
  ['a file', 'file:///etc/passwd'],
  ['a program', 'ms-settings:privacy'],
  ['script', 'javascript:alert(1)'],
  ['no address', 'support'],
])('%s is rejected, opened before or not, without a question', async (_, url) => {
  const it = rig()
  expect([await it.open(url, false), await it.open(url, true), it.asked, it.opened]).toEqual([
    'url',
    'url',
    [],
    [],
  ])
})

test('without a running demonstration nothing on this computer is opened', async () => {
  expect(await rig(null).open('http://127.0.0.1:4711/', false)).toBe('url')
})

test('a second question is not asked while one is open, and the next one is', async () => {
  const it = rig()
  let decide = (_yes: boolean): void => undefined
  it.answer = new Promise((resolve) => (decide = resolve))
  const first = it.open('https://one.example/', false)
  expect(await it.open('https://two.example/', false)).toBe(false)
  decide(true)
  expect([await first, await it.open('https://two.example/', false), it.asked]).toEqual([
    true,
    true,
    ['one.example', 'two.example'],
  ])
})
