import type { TrustedDocument } from '../../contract/api/definitions.ts'
import { Failed } from '../../contract/failure.ts'
import { compareVersions, isVersion } from '../lists/version-order.ts'
import type { Workbook } from '../storage/workbook.ts'

/**
 * The newest definition version that was read at each address. It is stored longer than the copies of
 * documents.
 */
export interface TrustedDocuments {
  /** Returns the earlier one if that is newer; else stores this one as trusted and returns null. */
  judged(address: string, read: TrustedDocument): Promise<TrustedDocument | null>
}

export function openTrustedDocuments(workbook: Pick<Workbook, 'query' | 'write'>): TrustedDocuments {
  return {
    async judged(address, read) {
      if (!isVersion(read.definitionVersion)) return null
      const name = `trusted-definition ${address}`
      const [row] = await workbook.query('SELECT value FROM fact WHERE name = ?', [name])
      const previous = trustedIn(row?.['value'])
      const order =
        previous === null ? 1 : compareVersions(read.definitionVersion, previous.definitionVersion)
      if (order < 0) return previous
      if (order > 0) await keep(workbook, name, read)
      return null
    },
  }
}

/** If the workbook cannot be written, this is not stored, but the document is still used. */
async function keep(workbook: Pick<Workbook, 'write'>, name: string, read: TrustedDocument): Promise<void> {
  const value = JSON.stringify([read.definitionVersion, read.observedAt])
  try {
    await workbook.write((transaction) =>
      transaction.run(
        'INSERT INTO fact (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
        [name, value],
      ),
    )
  } catch (error) {
    if (!(error instanceof Failed)) throw error
  }
}

function trustedIn(value: unknown): TrustedDocument | null {
  if (typeof value !== 'string') return null
  const [definitionVersion, observedAt] = JSON.parse(value) as [string, number]
  return { definitionVersion, observedAt }
}
