import { describe, expect, it } from 'vitest'
import type { Database } from '../../../electron/core/platform.ts'
import type { Management } from '../../../electron/core/management/management.ts'
import { Contradictions } from '../../../electron/core/sync/contradictions.ts'
import { fetchStream, type StreamWork } from '../../../electron/core/sync/streams.ts'

/** A service with a number of empty pages, and a store that writes a page on demand. */
function aStream(pages: number) {
  const requested: (string | null)[] = []
  const unwritten: { readonly write: () => void; readonly fail: (error: Error) => void }[] = []
  const management = {
    devicePage: ({ token }: { readonly token: string | null }) => {
      requested.push(token)
      const number = Number(token ?? 0)
      return Promise.resolve({
        items: [],
        nextToken: number + 1 < pages ? String(number + 1) : null,
        receivedAt: 0,
        calls: 1,
      })
    },
  } as unknown as Management
  const database = {
    perform: () =>
      new Promise((resolve, reject) =>
        unwritten.push({ write: () => resolve({ fresh: 0, unmet: 0 }), fail: reject }),
      ),
  } as unknown as Database
  const work: StreamWork = {
    management,
    database,
    origin: { organizationId: 'org', syncId: 1, startedAt: 0, known: false },
    signal: new AbortController().signal,
    answered: () => undefined,
    written: () => undefined,
    drawn: () => Promise.resolve(),
    pagesWithNews: () => 0,
    emptyLists: new Map(),
    contradictions: new Contradictions(),
  }
  const ended = fetchStream(work, 'devices:Personal', undefined).then(
    (end) => end,
    (error: unknown) => error,
  )
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 100; turn++) await new Promise((next) => setImmediate(next))
  }
  return { requested, unwritten, ended, turns }
}

describe('a stream of pages', () => {
  it('stores its first page before it requests the third', async () => {
    const { requested, unwritten, ended, turns } = aStream(3)
    await turns()
    expect(requested).toEqual([null, '1'])
    unwritten[0]!.write()
    await turns()
    expect(requested).toEqual([null, '1', '2'])
    unwritten.slice(1).forEach(({ write }) => write())
    expect(await ended).toBe('ended')
  })

  it('reads ahead at most nine pages while they wait to be written, and ends when all are written', async () => {
    const { requested, unwritten, ended, turns } = aStream(40)
    await turns()
    unwritten[0]!.write()
    await turns()
    expect([requested.length, unwritten.length]).toEqual([11, 10])
    for (let next = 1; next < 40; next++) {
      unwritten[next]!.write()
      await turns()
    }
    expect([await ended, requested.length]).toEqual(['ended', 40])
  })

  it('requests nothing more once a page could not be written, and ends when the others are settled', async () => {
    const { requested, unwritten, ended, turns } = aStream(40)
    await turns()
    unwritten[0]!.write()
    await turns()
    const full = new Error('no room')
    unwritten[1]!.fail(full)
    await turns()
    const before = requested.length
    unwritten.slice(2).forEach(({ write }) => write())
    expect([await ended, requested.length - before]).toEqual([full, 0])
  })
})
