import { flushPromises } from '@vue/test-utils'
import { onTestFinished } from 'vitest'
import { effectScope, ref } from 'vue'
import { done, failed, type Outcome } from '../../../electron/contract/failure.ts'
import { useList, type ListSource, type SliceRequest } from '../../../renderer/lists/use-list.ts'

const COUNT = 10

export interface Row {
  readonly id: string
  readonly index: number
}
export interface Answer {
  readonly total: number
  readonly all: number
  readonly rows: readonly Row[]
}
interface Request {
  readonly question: { readonly where: string }
  readonly edition: number
  readonly start: number
  readonly above: SliceRequest<Row>['above']
  answer(): Promise<void>
  fail(): Promise<void>
}

/**
 * A list over rows named `where:edition:index`; each request waits until the test responds, with the service's data at the time of the
 * request.
 */
export function openList(
  rows = 95,
  more: Partial<Pick<ListSource<object, Row, Answer>, 'replacedBy' | 'ahead' | 'beside'>> = {},
) {
  const service = { rows, edition: 0 }
  const waiting: Request[] = []
  const where = ref<string | null>('')
  const scope = effectScope()
  onTestFinished(() => scope.stop())
  const list = scope.run(() =>
    useList<{ readonly where: string }, Row, Answer>({
      question: () => (where.value === null ? null : { where: where.value }),
      count: COUNT,
      ...more,
      rowsOf: (answer) => answer.rows,
      idOf: (row) => row.id,
      fetch(question, { start, count, above }) {
        const { promise, resolve } = Promise.withResolvers<Outcome<Answer>>()
        const { rows: total, edition } = service
        const end = Math.min(start + count, total)
        const found = Array.from({ length: Math.max(0, end - start) }, (_, within) => ({
          id: `${question.where}:${edition}:${start + within}`,
          index: start + within,
        }))
        const settle = async (outcome: Outcome<Answer>): Promise<void> => {
          waiting.splice(waiting.indexOf(request), 1)
          resolve(outcome)
          await flushPromises()
        }
        const request: Request = {
          question,
          edition,
          start,
          above,
          answer: () => settle(done({ total, all: 95, rows: found })),
          fail: () => settle(failed({ kind: 'too-busy', waiting: 1 })),
        }
        waiting.push(request)
        return promise
      },
    }),
  )!
  const asked = (): readonly string[] => waiting.map((one) => `${one.question.where}@${one.start}`)
  const answerAll = async (): Promise<void> => {
    while (waiting[0]) await waiting[0].answer()
  }
  const ids = (first: number, last: number): readonly (string | undefined)[] =>
    Array.from({ length: last - first + 1 }, (_, within) => list.rowAt(first + within)?.id)
  return { list, service, waiting, where, asked, answerAll, ids }
}
export type Opened = ReturnType<typeof openList>
/** The first slice of 95 rows is loaded, the table shows its first five. */
export async function openShown(rows = 95): Promise<Opened> {
  const opened = openList(rows)
  void opened.list.show()
  await opened.answerAll()
  opened.list.need(0, 4)
  return opened
}
export async function filterBy({ where }: Opened, text: string | null): Promise<void> {
  where.value = text
  await flushPromises()
}
