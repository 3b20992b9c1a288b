import type { Core } from '../../../electron/core/app.ts'

/**
 * A whole first sync by the core alone, with a write begun on each progress event: milliseconds of each from
 * the request until its slot and its journal line are on disk. Nothing is sent.
 */
export async function writeBegins({ sessions }: Core): Promise<readonly number[]> {
  const { sync, writes } = await sessions.current()
  const took: number[] = []
  const begun: Promise<unknown>[] = []
  const begin = (): void => {
    const askedAt = performance.now()
    const id = `bench-${begun.length}`
    begun.push(
      writes.execute({
        operation: 'RebootRoom',
        target: { of: 'device', id, name: null },
        deviceIds: [id],
        unlock: true,
        wait: false,
        before: null,
        after: null,
        send: async (_, beforeDispatch) => {
          await beforeDispatch()
          took.push(performance.now() - askedAt)
          return { status: 200 }
        },
      }),
    )
  }
  const stopListening = sync.onProgress(begin)
  await sync.run()
  stopListening()
  await Promise.all(begun)
  return took
}
