import { folded } from '../../contract/filter/folded.ts'
import type { Workbook } from '../storage/workbook.ts'
import type { TagIndex, TagIndexStep } from './tag-index.ts'
import { stampOf, writeStamp } from './tag-rows.ts'

interface NoteDeps {
  readonly workbook: Workbook
  readonly index: TagIndex
  readonly newId: () => string
}

/** A device has one note; null: removes it. Writes nothing if it is unchanged. */
export async function keepNote(
  { workbook, index, newId }: NoteDeps,
  organizationId: string,
  deviceId: string,
  note: string | null,
): Promise<void> {
  const of = [organizationId, deviceId]
  const after = newId()
  const done = await workbook.write((transaction) => {
    const before = stampOf(transaction, organizationId)
    const saved = transaction.first(
      'SELECT word, note FROM device_note WHERE organization_id = ? AND device_id = ?',
      of,
    )
    if ((saved?.['note'] ?? null) === note) return null
    const ids = JSON.stringify([deviceId])
    const steps: TagIndexStep[] = []
    if (saved !== undefined) {
      transaction.run('DELETE FROM device_note WHERE organization_id = ? AND device_id = ?', of)
      steps.push({ kind: 'note', put: false, word: String(saved['word']), name: String(saved['note']), ids })
    }
    if (note !== null) {
      const word = folded(note)
      transaction.run(
        'INSERT INTO device_note (organization_id, device_id, word, note) VALUES (?, ?, ?, ?)',
        [...of, word, note],
      )
      steps.push({ kind: 'note', put: true, word, name: note, ids })
    }
    writeStamp(transaction, organizationId, after)
    return { before, steps }
  })
  if (done !== null) await index.follow(organizationId, { before: done.before, after }, done.steps)
}
