import type { ProductStatus } from '../../electron/contract/api/firmware.ts'
import { formatCount } from '../components/format.ts'
import type { Cell } from '../lists/grid-cells.ts'
import { text } from '../locales/i18n.ts'

/** Devices on revoked firmware, then those behind: "2 revoked, 8". A dash if `statusOf` knows of none. */
export const toUpdateCell =
  <Row>(statusOf: (row: Row) => Pick<ProductStatus, 'revoked' | 'behind'> | null): Cell<Row> =>
  (cell) => {
    const [bad, warn] = ['text-bad', 'text-warn'].map((ink) => {
      const part = cell.appendChild(cell.ownerDocument.createElement('span'))
      part.className = `${ink} font-semibold`
      return part
    }) as [HTMLElement, HTMLElement]
    return (row) => {
      const { revoked, behind } = statusOf(row) ?? { revoked: 0, behind: null }
      const more = revoked > 0 ? text('firmware.fleet.revokedIn', { n: formatCount(revoked) }) : ''
      bad.textContent = behind ? `${more}${more && ', '}` : more
      warn.textContent = behind === null ? '—' : behind > 0 || more === '' ? formatCount(behind) : ''
      warn.classList.toggle('text-warn', behind !== null && behind > 0)
    }
  }
