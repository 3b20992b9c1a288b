import { folded } from '../../contract/filter/folded.ts'
import type { Workbook } from '../storage/workbook.ts'
import { mustExist } from './tag-rows.ts'

/** A device has one note; null: removes it. Returns whether anything changed. */
export const keepNote = (
  workbook: Workbook,
  organizationId: string,
  deviceId: string,
  note: string | null,
): Promise<boolean> =>
  workbook.write((transaction) => {
    mustExist(transaction, organizationId)
    const of = [organizationId, deviceId]
    const where = `organization_id = ? AND kind = 'note' AND device_id = ?`
    const saved = transaction.first(`SELECT name FROM device_mark WHERE ${where}`, of)
    if ((saved?.['name'] ?? null) === note) return false
    transaction.run(`DELETE FROM device_mark WHERE ${where}`, of)
    if (note !== null)
      transaction.run(
        `INSERT INTO device_mark (organization_id, kind, device_id, word, name) VALUES (?, 'note', ?, ?, ?)`,
        [...of, folded(note), note],
      )
    return true
  })
