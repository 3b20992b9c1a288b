import { Failed } from '../../contract/failure.ts'
import type { Procedure, SqlRow, SqlValue, Transaction } from '../platform.ts'
import { runStatements } from '../storage/statements.ts'
import type { Store } from '../storage/store.ts'
import type { Workbook } from '../storage/workbook.ts'

export type TagIndexKind = 'tag' | 'list' | 'note'

/** Tags, lists and notes to write to the copy, or to delete from it. `ids` is a JSON list. */
export interface TagIndexStep {
  readonly kind: TagIndexKind
  readonly put: boolean
  readonly word: string
  readonly name: string
  readonly ids: string
}

/**
 * The stamps before and after the change of the copy; if the copy's stamp is not `before`, the copy is
 * rebuilt.
 */
export interface Stamps {
  readonly before: string
  readonly after: string
}

/** Where the workbook stores them: `m` has the name and the device. */
const sourceOf: Readonly<Record<TagIndexKind, { readonly name: string; readonly from: string }>> = {
  tag: {
    name: 'n.name',
    from: 'tagged_device m JOIN tag n ON n.organization_id = m.organization_id AND n.word = m.word',
  },
  list: {
    name: 'n.name',
    from: 'listed_device m JOIN device_list n ON n.organization_id = m.organization_id AND n.word = m.word',
  },
  note: { name: 'm.note', from: 'device_note m' },
}

/** Rows written in one transaction when the copy is rebuilt: about 15 ms. Lower it if windows stutter. */
const rowsAtOnce = 2_000
/**
 * While another program continues to change tags, the copy is checked again at the next query. Lower it if
 * filters look outdated.
 */
const triesAtMost = 3

/**
 * The store's copy of tags, lists and notes (`device_mark`), which filters and rows read. The workbook is the
 * authority: each change there has a new stamp, and a copy with another stamp (a run that ended in between, a
 * new store, another program) is rebuilt.
 */
export class TagIndex {
  readonly #workbook: Workbook
  readonly #store: Store

  constructor(workbook: Workbook, store: Store) {
    this.#workbook = workbook
    this.#store = store
  }

  /** Applies one change. A store that cannot be written keeps its old stamp, and so is updated later. */
  async follow(organizationId: string, stamps: Stamps, steps: readonly TagIndexStep[]): Promise<void> {
    await this.#ifItCan(this.#store.database.perform(updateTagIndex, { organizationId, ...stamps, steps }))
  }

  /** The same for all tags or lists with one name. */
  async followAll(organizationId: string, stamps: Stamps, kind: TagIndexKind, word: string): Promise<void> {
    const follow = async (): Promise<void> => {
      if ((await this.#stampInStore(organizationId)) !== stamps.before) return
      await this.#copy(organizationId, kind, word)
      await this.#store.database.perform(updateTagIndex, { organizationId, ...stamps, steps: [] })
    }
    await this.#ifItCan(follow())
  }

  /**
   * Rebuilds the copy if its stamp differs; returns the workbook's stamp. Rejects with Failed
   * `cache-unusable` of the workbook.
   */
  async reconcile(organizationId: string): Promise<string> {
    const stamp = await this.#stampInWorkbook(organizationId)
    await this.#ifItCan(this.#makeAgree(organizationId, stamp))
    return stamp
  }

  async #makeAgree(organizationId: string, found: string): Promise<void> {
    if ((await this.#stampInStore(organizationId)) === found) return
    let stamp = found
    for (let tries = 0; tries < triesAtMost; tries++) {
      const copied = stamp
      for (const kind of ['list', 'tag', 'note'] as const) await this.#copy(organizationId, kind, null)
      stamp = await this.#stampInWorkbook(organizationId)
      // Another program changed tags meanwhile, and pages that were copied before may have overwritten its
      // changes.
      if (stamp !== copied) continue
      await this.#store.database.perform(updateTagIndex, {
        organizationId,
        before: null,
        after: copied,
        steps: [],
      })
      return
    }
  }

  /** Tags of removed organizations, for example after a run that ended during a removal. */
  async forgetOthers(organizationIds: readonly string[]): Promise<void> {
    await this.#ifItCan(
      this.#store.database.perform(
        runStatements,
        ['device_mark', 'device_mark_stamp'].map((table) => ({
          sql: `DELETE FROM ${table} WHERE organization_id NOT IN (SELECT value FROM json_each(?))`,
          parameters: [JSON.stringify(organizationIds)],
        })),
      ),
    )
  }

  async #stampInWorkbook(organizationId: string): Promise<string> {
    const [row] = await this.#workbook.query(
      'SELECT stamp FROM device_mark_stamp WHERE organization_id = ?',
      [organizationId],
    )
    return String(row?.['stamp'] ?? '')
  }

  async #stampInStore(organizationId: string): Promise<string> {
    const [row] = await this.#store.database.query(
      'SELECT stamp FROM device_mark_stamp WHERE organization_id = ?',
      [organizationId],
    )
    return String(row?.['stamp'] ?? '')
  }

  /** Page by page, so that a tag that remains is never missing. `word` null: all of the kind. */
  async #copy(organizationId: string, kind: TagIndexKind, word: string | null): Promise<void> {
    const { name, from: source } = sourceOf[kind]
    const one = word === null ? '' : 'AND m.word = ?'
    const oneWord = word === null ? [] : [word]
    for (let from: readonly [SqlValue, SqlValue] | null = [word ?? '', '']; from !== null;) {
      const rows: readonly SqlRow[] = await this.#workbook.query(
        `SELECT m.word, m.device_id, ${name} AS name FROM ${source}
         WHERE m.organization_id = ? AND (m.word, m.device_id) > (?, ?) ${one} ORDER BY m.word, m.device_id LIMIT ${rowsAtOnce}`,
        [organizationId, ...from, ...oneWord],
      )
      const last = rows.length < rowsAtOnce ? undefined : rows.at(-1)
      const to: readonly [SqlValue, SqlValue] | null =
        last === undefined ? null : [last['word'] ?? '', last['device_id'] ?? '']
      const range = [organizationId, kind, ...from, ...(to ?? []), ...oneWord]
      await this.#store.database.perform(runStatements, [
        {
          sql: `DELETE FROM device_mark AS m WHERE m.organization_id = ? AND m.kind = ? AND (m.word, m.device_id) > (?, ?)
             ${to === null ? '' : 'AND (m.word, m.device_id) <= (?, ?)'} ${one}`,
          parameters: range,
        },
        {
          sql: `INSERT INTO device_mark (organization_id, kind, word, device_id, name)
           SELECT ?, ?, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`,
          parameters: [
            organizationId,
            kind,
            JSON.stringify(rows.map((row) => [row['word'], row['device_id'], row['name']])),
          ],
        },
      ])
      from = to
    }
  }

  /** The store reports its own errors; the workbook has the requested change. */
  async #ifItCan(work: Promise<unknown>): Promise<void> {
    try {
      await work
    } catch (error) {
      if (!(error instanceof Failed) || error.failure.kind !== 'cache-unusable') throw error
    }
  }
}

/** Applies the steps if the copy's stamp is `before`; null: any stamp. */
export const updateTagIndex: Procedure<
  {
    readonly organizationId: string
    readonly before: string | null
    readonly after: string
    readonly steps: readonly TagIndexStep[]
  },
  void
> = {
  name: 'tags.follow-marks',
  run(transaction, { organizationId, before, after, steps }) {
    if (before !== null && stampIn(transaction, organizationId) !== before) return
    for (const step of steps) takeStep(transaction, organizationId, step)
    writeStampIn(transaction, organizationId, after)
  },
}

function takeStep(
  transaction: Transaction,
  organizationId: string,
  { kind, put, word, name, ids }: TagIndexStep,
): void {
  if (put)
    transaction.run(
      `INSERT OR REPLACE INTO device_mark (organization_id, kind, word, device_id, name) SELECT ?, ?, ?, value, ? FROM json_each(?)`,
      [organizationId, kind, word, name, ids],
    )
  else
    transaction.run(
      `DELETE FROM device_mark WHERE organization_id = ? AND kind = ? AND word = ? AND device_id IN (SELECT value FROM json_each(?))`,
      [organizationId, kind, word, ids],
    )
}

const stampIn = (transaction: Transaction, organizationId: string): string =>
  String(
    transaction.first('SELECT stamp FROM device_mark_stamp WHERE organization_id = ?', [organizationId])?.[
      'stamp'
    ] ?? '',
  )

function writeStampIn(transaction: Transaction, organizationId: string, stamp: string): void {
  if (stamp === '')
    transaction.run('DELETE FROM device_mark_stamp WHERE organization_id = ?', [organizationId])
  else
    transaction.run('INSERT OR REPLACE INTO device_mark_stamp (organization_id, stamp) VALUES (?, ?)', [
      organizationId,
      stamp,
    ])
}
