import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  clearMessages,
  dismissAbout,
  dismissToast,
  holdToasts,
  markMessagesRead,
  messages,
  showToast,
  takeAction,
  takeBackLast,
  toast,
  toasts,
  unreadCount,
} from '../../../renderer/components/toasts.ts'

const visible = (): string[] => toasts.value.map((one) => one.text)
const stored = (): string[] => messages.value.map((one) => one.text)

beforeEach(() => {
  vi.useFakeTimers()
  clearMessages()
})
afterEach(() => {
  holdToasts(false)
  vi.useRealTimers()
})

describe('toasts', () => {
  it('leave after five seconds for a confirmation, ten with an action, twenty for a failure, which stays unread', () => {
    toast({ text: 'refused', kind: 'bad' })
    toast({ text: 'tagged', action: { label: 'Undo', run: () => undefined } })
    showToast('copied')
    vi.advanceTimersByTime(5_000)
    expect(visible()).toEqual(['refused', 'tagged'])
    vi.advanceTimersByTime(5_000)
    expect(visible()).toEqual(['refused'])
    vi.advanceTimersByTime(10_000)
    expect([visible(), unreadCount.value]).toEqual([[], 1])
  })
  it('leave and are read once what they are about is open', () => {
    toast({ text: 'one job ended', kind: 'warn', about: 'job-1' })
    toast({ text: 'another ended', kind: 'warn', about: 'job-2' })
    dismissAbout('job-1')
    expect([visible(), unreadCount.value]).toEqual([['another ended'], 1])
  })
  it('leave after ten seconds for a warning', () => {
    showToast('may be old', 'warn')
    vi.advanceTimersByTime(9_999)
    expect(visible()).toEqual(['may be old'])
    vi.advanceTimersByTime(1)
    expect(visible()).toEqual([])
  })
  it('stay while hovered or focused, and get their whole time again afterwards', () => {
    showToast('copied')
    vi.advanceTimersByTime(4_000)
    holdToasts(true)
    vi.advanceTimersByTime(60_000)
    expect(visible()).toEqual(['copied'])
    holdToasts(false)
    vi.advanceTimersByTime(4_999)
    expect(visible()).toEqual(['copied'])
    vi.advanceTimersByTime(1)
    expect(visible()).toEqual([])
  })
  it('that appear while others are held stay until these are released', () => {
    showToast('copied')
    holdToasts(true)
    showToast('tagged')
    vi.advanceTimersByTime(60_000)
    const held = visible()
    holdToasts(false)
    vi.advanceTimersByTime(5_000)
    expect([held, visible()]).toEqual([['copied', 'tagged'], []])
  })
  it('show three at once and keep the last fifty, newest first', () => {
    for (let n = 1; n <= 60; n += 1) showToast(`message ${n}`, 'warn')
    expect(visible()).toEqual(['message 58', 'message 59', 'message 60'])
    expect([stored().length, stored()[0], stored().at(-1)]).toEqual([50, 'message 60', 'message 11'])
  })
  it('repeated show one line', () => {
    showToast('Serial copied')
    showToast('Serial copied')
    expect([visible(), stored()]).toEqual([['Serial copied'], ['Serial copied']])
  })
  it('count as unread, except confirmations', () => {
    showToast('copied')
    showToast('refused', 'bad')
    toast({ text: 'tagged', action: { label: 'Undo', run: () => undefined } })
    expect(unreadCount.value).toBe(1)
    dismissToast(messages.value.find((one) => one.text === 'refused')?.id ?? 0)
    expect(unreadCount.value).toBe(0)
    showToast('slow', 'warn')
    markMessagesRead()
    expect(unreadCount.value).toBe(0)
  })
})

describe('the action of a message', () => {
  it('runs once', () => {
    const run = vi.fn()
    const id = toast({ text: 'tagged', action: { label: 'Undo', run } })
    expect([takeAction(id), takeAction(id), run.mock.calls.length, visible()]).toEqual([true, false, 1, []])
  })
  it('is undone by Ctrl+Z, newest first, also after the message left the screen', () => {
    const done: string[] = []
    toast({ text: 'first', action: { label: 'Undo', takesBack: true, run: () => done.push('first') } })
    toast({ text: 'second', action: { label: 'Undo', takesBack: true, run: () => done.push('second') } })
    toast({ text: 'exported', action: { label: 'Show', run: () => done.push('show') } })
    vi.advanceTimersByTime(60_000)
    expect([takeBackLast(), takeBackLast(), takeBackLast(), done]).toEqual([
      true,
      true,
      false,
      ['second', 'first'],
    ])
  })
})
