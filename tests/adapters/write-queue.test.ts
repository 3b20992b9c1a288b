import { expect, it } from 'vitest'
import { WriteQueue, type Call } from '../../electron/adapters/write-queue.ts'
import { DatabaseError } from '../../electron/core/platform.ts'

/** The completed calls, one transaction each; a call named `bad` always fails. */
function aQueue() {
  const done: string[] = []
  const queue = new WriteQueue()
  const perform = async (calls: readonly Call[]): Promise<readonly unknown[]> => {
    const names = calls.map(({ name }) => name)
    done.push(names.join('+'))
    if (names.includes('bad')) throw new Error('a bad one')
    if (names.includes('busy')) throw new DatabaseError('store', 'busy', 'in use')
    return calls.map(({ name, input }) => `${name} ${String(input)}`)
  }
  return {
    done,
    page: (name: string) =>
      queue.share({ name, input: 1 }, perform).catch((error: unknown) => (error as Error).message),
    other: (name: string) => queue.hold(() => Promise.resolve(void done.push(name))),
  }
}

it('lets up to four waiting calls share a transaction', async () => {
  const { done, page } = aQueue()
  const first = page('first')
  const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => page(name)))
  expect([await first, answers, done]).toEqual([
    'first 1',
    ['a 1', 'b 1', 'c 1', 'd 1', 'e 1'],
    ['first+a+b+c', 'd+e'],
  ])
})

it('runs work in the order of the requests', async () => {
  const { done, page, other } = aQueue()
  await Promise.all([page('a'), page('b'), other('something else'), page('c'), page('d')])
  expect(done).toEqual(['a+b', 'something else', 'c+d'])
})

it('fails only the call that failed', async () => {
  const { done, page } = aQueue()
  expect(await Promise.all([page('a'), page('bad'), page('c')])).toEqual(['a 1', 'a bad one', 'c 1'])
  expect(done).toEqual(['a+bad+c', 'a', 'bad', 'c'])
})

it('waits only once for the program that locks the file', async () => {
  const { done, page } = aQueue()
  expect([await Promise.all([page('a'), page('busy')]), done]).toEqual([['in use', 'in use'], ['a+busy']])
})

it('starts no other work before exclusive work has ended, even if that fails', async () => {
  const queue = new WriteQueue()
  const done: string[] = []
  let end: (error: Error) => void = () => undefined
  const holding = queue.hold(() => new Promise<never>((_, reject) => (end = reject)))
  const after = queue.hold(() => Promise.resolve(void done.push('after')))
  await new Promise((turn) => setImmediate(turn))
  expect(done).toEqual([])
  end(new Error('the log'))
  await expect(holding).rejects.toThrow('the log')
  await after
  expect(done).toEqual(['after'])
})
