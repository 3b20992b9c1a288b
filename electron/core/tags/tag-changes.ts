import { Failed } from '../../contract/failure.ts'
import type { TagChange } from '../../contract/api/tags.ts'
import type { Transaction } from '../platform.ts'
import type { Workbook } from '../storage/workbook.ts'
import type { RunningTask } from '../tasks.ts'
import type { TagIndex, Stamps } from './tag-index.ts'
import type { TagName } from './tag-names.ts'
import {
  backwards,
  devicesAtOnce,
  devicesIn,
  nameOf,
  spell,
  stampOf,
  takeSteps,
  writeStamp,
  type TagStep,
} from './tag-rows.ts'
import { UndoMemory, type Done } from './undo-memory.ts'

interface TagChangesDeps {
  readonly workbook: Workbook
  readonly index: TagIndex
  readonly newId: () => string
}

type Spelling = Done['spelt'][number]

/**
 * Tags added, removed, renamed and deleted, each in steps of up to 1,000 devices: written to the workbook,
 * then to the copy. If the program ends in between or the work is cancelled, a part was applied, to both
 * equally, and it can be undone. Rejects with Failed `not-found` or `cache-unusable`.
 */
export class TagChanges {
  readonly #deps: TagChangesDeps
  readonly #memory = new UndoMemory()

  constructor(deps: TagChangesDeps) {
    this.#deps = deps
  }

  tag(
    organizationId: string,
    ids: readonly string[],
    put: readonly TagName[],
    taken: readonly TagName[],
    task: RunningTask,
  ): Promise<TagChange> {
    const atOnce = Math.max(100, Math.floor(devicesAtOnce / (put.length + taken.length)))
    // In the order of the index, which is four times as fast for 100,000 devices.
    const sorted = ids.toSorted()
    const steps = function* (): Iterable<readonly TagStep[]> {
      for (let start = 0; start < sorted.length; start += atOnce) {
        const json = JSON.stringify(sorted.slice(start, start + atOnce))
        yield [
          ...put.map((tag) => ({ ...tag, put: true, ids: json })),
          ...taken.map((tag) => ({ ...tag, put: false, ids: json })),
        ]
      }
    }
    const count = Math.ceil(sorted.length / atOnce)
    return this.#take(organizationId, { chunks: steps(), count, spelt: [] }, task)
  }

  async remove(organizationId: string, tag: TagName, task: RunningTask): Promise<TagChange> {
    const { lists } = await this.#carrying(organizationId, tag)
    const chunks = lists.map((ids) => [{ ...tag, put: false, ids }])
    return this.#take(organizationId, { chunks, count: chunks.length, spelt: [] }, task)
  }

  /** If the new name is that of another tag, the two are merged. */
  async rename(organizationId: string, from: TagName, to: TagName, task: RunningTask): Promise<TagChange> {
    const { lists, count } = await this.#carrying(organizationId, from)
    const [row] = await this.#deps.workbook.query(
      'SELECT name FROM tag WHERE organization_id = ? AND word = ?',
      [organizationId, to.word],
    )
    const before = row === undefined ? null : String(row['name'])
    const spelt = before === null || before === to.name ? [] : [{ word: to.word, before, after: to.name }]
    if (from.word === to.word) {
      const { undo } = await this.#take(organizationId, { chunks: [], count: 0, spelt }, task)
      return { changed: undo === null ? 0 : count, undo }
    }
    const chunks = lists.map((ids) => [
      { ...to, put: true, ids },
      { ...from, put: false, ids },
    ])
    return this.#take(organizationId, { chunks, count: chunks.length, spelt }, task)
  }

  /** The undo can be undone too. */
  async undo(organizationId: string, id: string, task: RunningTask): Promise<TagChange> {
    const done = this.#memory.take(organizationId, id)
    const spelt = done.spelt.map(({ word, before, after }) => ({ word, before: after, after: before }))
    const chunks = done.chunks.map(backwards)
    const { changed, undo } = await this.#take(organizationId, { chunks, count: chunks.length, spelt }, task)
    if (changed > 0 || undo === null || spelt[0] === undefined) return { changed, undo }
    return {
      changed: (await this.#carrying(organizationId, { word: spelt[0].word, name: spelt[0].after })).count,
      undo,
    }
  }

  /**
   * The devices with a tag, as JSON lists for one transaction each. Rejects with Failed `not-found` if there
   * is no such tag.
   */
  async #carrying(
    organizationId: string,
    { word, name }: TagName,
  ): Promise<{ readonly lists: readonly string[]; readonly count: number }> {
    const rows = await this.#deps.workbook.query(
      `SELECT json_group_array(device_id) AS ids, count(*) AS n FROM (
         SELECT device_id, (row_number() OVER (ORDER BY device_id) - 1) / ${devicesAtOnce} AS part FROM tagged_device WHERE organization_id = ? AND word = ?
       ) GROUP BY part ORDER BY part`,
      [organizationId, word],
    )
    if (rows.length === 0) throw Failed.notFound(`tag "${name}"`)
    return {
      lists: rows.map((row) => String(row['ids'])),
      count: rows.reduce((sum, row) => sum + Number(row['n']), 0),
    }
  }

  async #take(
    organizationId: string,
    wanted: {
      readonly chunks: Iterable<readonly TagStep[]>
      /** Number of devices. */
      readonly count: number
      readonly spelt: readonly Spelling[]
    },
    { signal, step }: RunningTask,
  ): Promise<TagChange> {
    const taken: (readonly TagStep[])[] = []
    const spelt: Spelling[] = []
    let done = 0
    for (const steps of wanted.chunks) {
      if (signal.aborted) break
      step('writing', done++, wanted.count)
      const { result, stamps } = await this.#stamped(organizationId, (transaction) =>
        takeSteps(transaction, organizationId, steps),
      )
      // A read runs on the other thread: the event loop runs between two transactions.
      await this.#deps.workbook.query('SELECT 1')
      if (result.length === 0) continue
      taken.push(result)
      const marks = result.map((change) => ({ ...change, kind: 'tag' as const }))
      await this.#deps.index.follow(organizationId, stamps, marks)
    }
    for (const spelling of signal.aborted ? [] : wanted.spelt) {
      const { result, stamps } = await this.#stamped(organizationId, (transaction) =>
        respell(transaction, organizationId, spelling),
      )
      // Not spread into arguments, because there may be more devices than a call accepts.
      for (const one of result) spelt.push(one)
      if (result.length > 0) await this.#deps.index.followAll(organizationId, stamps, 'tag', spelling.word)
    }
    if (taken.length + spelt.length === 0) return { changed: 0, undo: null }
    const undo = this.#deps.newId()
    this.#memory.keep(undo, { organizationId, chunks: taken, spelt })
    return { changed: taken.reduce((sum, steps) => sum + devicesIn(steps), 0), undo }
  }

  /** One transaction of the workbook, with a new stamp if it changed anything. */
  async #stamped<T extends readonly unknown[]>(
    organizationId: string,
    work: (transaction: Transaction) => T,
  ): Promise<{ readonly result: T; readonly stamps: Stamps }> {
    const after = this.#deps.newId()
    return this.#deps.workbook.write((transaction) => {
      const before = stampOf(transaction, organizationId)
      const result = work(transaction)
      if (result.length > 0) writeStamp(transaction, organizationId, after)
      return { result, stamps: { before, after } }
    })
  }
}

/** Changes the spelling, if the tag still exists. */
function respell(
  transaction: Transaction,
  organizationId: string,
  { word, after }: Spelling,
): readonly Spelling[] {
  const before = nameOf(transaction, organizationId, word)
  if (before === null || before === after) return []
  spell(transaction, organizationId, word, after)
  return [{ word, before, after }]
}
