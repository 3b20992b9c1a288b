import type { IpcMain } from 'electron'
import { guard } from '../contract/arguments.ts'
import { failed } from '../contract/failure.ts'
import { answerer, callChannels, type Answers, type Channel } from '../contract/wire.ts'
import { isOurPage, type OurWindow } from './our-page.ts'

/** Carries the contract over IPC: one handler for each call of the table. */
export function answerOverIpc(
  ipc: Pick<IpcMain, 'handle'>,
  answers: Answers,
  window: () => OurWindow | null,
  onBug: (error: unknown, channel: string) => string,
): void {
  const answer = answerer(answers, guard, onBug)
  for (const channel of callChannels) {
    ipc.handle(channel, (event, argument: unknown) =>
      isOurPage(event, window())
        ? answer(channel, argument)
        : failed({ kind: 'invalid', field: 'sender', message: 'Only the window of Headroom may ask.' }),
    )
  }
}

/** Announcements go to our window alone, and are lost while there is none: the view asks anew when it opens. */
export function announceOverIpc(
  listen: (listener: (channel: Channel, payload: unknown) => void) => () => void,
  window: () => OurWindow | null,
): void {
  listen((channel, payload) => {
    const shown = window()
    if (shown !== null && !shown.isDestroyed()) shown.webContents.send(channel, payload)
  })
}
