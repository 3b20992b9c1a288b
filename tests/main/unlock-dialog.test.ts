import { EventEmitter } from 'node:events'
import type { BrowserWindow, MessageBoxOptions } from 'electron'
import { beforeEach, expect, test } from 'vitest'
import { UnlockDialog } from '../../electron/main/unlock-dialog.ts'

let now: number
let asked: MessageBoxOptions[]
/** The answer of the open dialog. */
let answer: (button: 'No' | 'Start') => void
let webContents: EventEmitter
let unlock: UnlockDialog

beforeEach(() => {
  now = 100_000
  asked = []
  webContents = new EventEmitter()
  const window = { webContents } as unknown as BrowserWindow
  unlock = new UnlockDialog({
    now: () => now,
    window: () => window,
    dialog: {
      showMessageBox: (...given: unknown[]) => {
        const options = given.at(-1) as MessageBoxOptions
        asked.push(options)
        return new Promise((resolve) => {
          answer = (button) =>
            resolve({ response: options.buttons?.indexOf(button) ?? -1, checkboxChecked: false })
        })
      },
    },
  })
  unlock.watch(window)
})

const reboot = (count: number) => unlock.mayUnlock({ organization: 'Nordlys', action: 'reboot-rooms', count })
const press = (type: string, event = 'input-event'): boolean => webContents.emit(event, {}, { type })

test.each([
  ['input-event', 'mouseDown'],
  ['input-event', 'rawKeyDown'],
  ['input-event', 'touchStart'],
  ['before-mouse-event', 'mouseDown'],
])('a press (%s %s) starts an action on up to five, once, without a dialog', async (event, type) => {
  press(type, event)
  now += 2_000
  const first = await reboot(5)
  const second = reboot(1)
  answer('No')
  expect([first, await second, asked.length]).toEqual(['once', 'no', 1])
})

test.each<[string, () => unknown, number]>([
  ['nothing was pressed', () => undefined, 1],
  ['the pointer only moved', () => press('mouseMove'), 1],
  ['the press was released', () => press('mouseUp'), 1],
  ['the press was more than two seconds ago', () => [press('mouseDown'), (now += 2_001)], 1],
  ['six rooms are meant', () => press('mouseDown'), 6],
])('a person is asked when %s', async (_, before, count) => {
  before()
  const started = reboot(count)
  answer('Start')
  expect([await started, asked.length]).toEqual(['yes', 1])
})

test('requests while the dialog is open, and for ten seconds after a No, are refused without another one', async () => {
  const first = reboot(40)
  const beside = await reboot(40)
  answer('No')
  const refused = await first
  now += 9_999
  const soon = await reboot(40)
  now += 1
  const later = reboot(40)
  answer('Start')
  expect([beside, refused, soon, await later, asked.length]).toEqual(['no', 'no', 'no', 'yes', 2])
})

test.each<[string, number, string]>([
  ['reboot-rooms', 1, 'Reboot one room of Nordlys?'],
  ['reboot-rooms', 40, 'Reboot 40 rooms of Nordlys?'],
  ['change-settings', 6, 'Change settings of 6 devices of Nordlys?'],
  ['update-firmware', 7, 'Update the firmware of 7 devices of Nordlys?'],
  ['RebootRoom', 1, 'Send RebootRoom to Nordlys?'],
])('the dialog names the action (%s, %i) and the organization, and suggests No', (action, count, message) => {
  void unlock.mayUnlock({ organization: 'Nordlys', action, count })
  expect(asked.map((one) => [one.message, one.buttons, one.defaultId, one.cancelId])).toEqual([
    [message, ['No', 'Start'], 0, 0],
  ])
})

test('nothing is started when no window is open', async () => {
  const without = new UnlockDialog({
    now: () => now,
    window: () => null,
    dialog: { showMessageBox: () => Promise.reject(new Error('not in this test')) },
  })
  expect(await without.mayUnlock({ organization: 'Nordlys', action: 'reboot-rooms', count: 1 })).toBe('no')
})
