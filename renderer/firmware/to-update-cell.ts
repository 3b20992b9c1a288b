import type { ProductStatus } from '../../electron/contract/api/firmware.ts'
import { formatCount } from '../components/format.ts'
import type { Cell } from '../lists/grid-cells.ts'
import { text } from '../locales/i18n.ts'

/** Devices on revoked firmware, then those behind: "2 revoked, 8 behind". A dash if `statusOf` knows of none. */
export const toUpdateCell =
  <Row>(statusOf: (row: Row) => Pick<ProductStatus, 'revoked' | 'behind'> | null): Cell<Row> =>
  (cell) => {
    const [bad, warn] = [0, 1].map(() => cell.appendChild(cell.ownerDocument.createElement('span'))) as [
      HTMLElement,
      HTMLElement,
    ]
    bad.className = 'text-bad font-semibold'
    return (row) => {
      const { revoked, behind } = statusOf(row) ?? { revoked: 0, behind: null }
      const more = revoked > 0 ? text('firmware.fleet.revokedIn', { n: formatCount(revoked) }) : ''
      bad.textContent = behind ? `${more}${more && ', '}` : more
      const beside = behind ? text('firmware.fleet.behindIn', { n: formatCount(behind) }) : ''
      warn.textContent = more !== '' ? beside : behind === null ? '—' : formatCount(behind)
      warn.className = behind ? 'text-warn font-semibold' : 'text-ink-3'
    }
  }
