import type { FileChecks, FileMismatch, PublishedCheck } from '../../contract/download.ts'
import type { Failed } from '../../contract/failure.ts'
import type { PublishedFile } from './download-rows.ts'
import type { FileBytes, ValidEntry } from './ledger.ts'

export type Mismatch = (
  what: FileMismatch,
  expected: string | null,
  actual: string | null,
  sinceAt: number | null,
  checks: FileChecks,
) => Failed

const distinct = <T>(values: readonly T[]): readonly T[] => [...new Set(values)]

/** Two published values that differ: no file can match both. */
export function refuseContradiction({ sizes, md5s }: PublishedFile, mismatch: Mismatch): void {
  const [what, values]: [FileMismatch, readonly (string | number)[]] =
    distinct(md5s).length > 1 ? ['md5', distinct(md5s)] : ['size', distinct(sizes)]
  if (values.length < 2) return
  throw mismatch(what, values.join(', '), null, null, {
    ...checksOf(null, { sizes, md5s }),
    [what]: 'failed',
  })
}

/** false: there is nothing to compare it with. Throws Failed `file-mismatch` if they differ. */
export function isTheSame(
  there: FileBytes,
  known: Pick<ValidEntry, 'sha256' | 'at' | 'isVerified'> | null,
  published: PublishedFile,
  mismatch: Mismatch,
): boolean {
  const checks = checksOf(there, published)
  if (known !== null && (known.isVerified || known.sha256 === there.sha256)) {
    if (known.sha256 === there.sha256) return true
    throw mismatch('existing', known.sha256, there.sha256, known.at, { ...checks, ledger: 'changed' })
  }
  const { sizes, md5s } = published
  if (checks.md5 === 'failed') throw mismatch('existing', md5s[0] ?? null, there.md5, null, checks)
  if (checks.size === 'failed')
    throw mismatch('existing', String(sizes[0] ?? ''), String(there.bytes), null, checks)
  return checks.md5 === 'ok'
}

/** null: there is no complete file to compare. */
export function checksOf(there: FileBytes | null, { sizes, md5s }: PublishedFile): FileChecks {
  const against = <T>(published: readonly T[], actual: T | undefined): PublishedCheck => {
    const values = distinct(published)
    if (values.length === 0) return 'not published'
    if (actual === undefined) return 'not compared'
    return values.length === 1 && values[0] === actual ? 'ok' : 'failed'
  }
  return { size: against(sizes, there?.bytes), md5: against(md5s, there?.md5), ledger: null }
}
