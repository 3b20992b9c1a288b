import {
  deviceDetail,
  deviceLabel,
  deviceTitle,
  type DeviceIdentity,
} from '../../electron/contract/device-name.ts'
import { wordsBeside, type Cell } from './grid-cells.ts'

/**
 * A device in a list: room, user or name, with product and serial number beside it; all of it in the title.
 */
export const deviceCell = <Row>(of: (row: Row) => DeviceIdentity): Cell<Row> =>
  wordsBeside(
    (row) => deviceTitle(of(row)),
    (row) => deviceDetail(of(row)),
    (row) => deviceLabel(of(row)),
  )
