import type { RoomRow, RoomSites } from '../../contract/api/rooms.ts'
import { noteAtMost, siteAtMost, siteSeparators, type SiteSeparator } from '../../contract/note.ts'
import { countsOf } from '../lists/slice.ts'
import { writtenText } from '../notes/notes.ts'
import type { Workbook } from '../storage/workbook.ts'

/** Technicians' notes and sites for the rooms of an organization; they override the records. */
export interface RoomNotes {
  readonly separator: SiteSeparator | null
  readonly rooms: ReadonlyMap<string, { readonly note: string | null; readonly site: string | null }>
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Rejects with Failed `cache-unusable`. */
export async function queryRoomNotes(
  workbook: Pick<Workbook, 'query'>,
  organizationId: string,
): Promise<RoomNotes> {
  const [[organization], rows] = await Promise.all([
    workbook.query('SELECT site_separator FROM organization WHERE id = ?', [organizationId]),
    workbook.query('SELECT room_id, note, site FROM room_note WHERE organization_id = ?', [organizationId]),
  ])
  return {
    separator: siteSeparators.find((one) => one === organization?.['site_separator']) ?? null,
    rooms: new Map(
      rows.map((row) => [String(row['room_id']), { note: text(row['note']), site: text(row['site']) }]),
    ),
  }
}

/**
 * null: removes the note, or uses the site of the record. Rejects with Failed `invalid` or `cache-unusable`.
 */
export async function keepRoomNote(
  workbook: Pick<Workbook, 'write'>,
  organizationId: string,
  roomId: string,
  what: 'note' | 'site',
  written: string | null,
): Promise<void> {
  const stored = writtenText(written, what, what === 'note' ? noteAtMost : siteAtMost)
  await workbook.write((transaction) => {
    transaction.run(
      `INSERT INTO room_note (organization_id, room_id, ${what}) VALUES (?, ?, ?)
         ON CONFLICT (organization_id, room_id) DO UPDATE SET ${what} = excluded.${what}`,
      [organizationId, roomId, stored],
    )
    transaction.run('DELETE FROM room_note WHERE organization_id = ? AND note IS NULL AND site IS NULL', [
      organizationId,
    ])
  })
}

export async function keepSeparator(
  workbook: Pick<Workbook, 'write'>,
  organizationId: string,
  separator: SiteSeparator | null,
): Promise<void> {
  await workbook.write((transaction) =>
    transaction.run('UPDATE organization SET site_separator = ? WHERE id = ?', [separator, organizationId]),
  )
}

/** The part of a name before the first such separator; null: it is missing, or nothing precedes it. */
function siteIn(name: string | null, separator: SiteSeparator): string | null {
  const at = name?.indexOf(separator) ?? -1
  return at === -1 ? null : name?.slice(0, at).trim() || null
}

/** The row with the technician's note and site. */
export function withNotes<Row extends RoomRow>(row: Row, { separator, rooms }: RoomNotes): Row {
  const own = rooms.get(row.id)
  const named = row.site === null && separator !== null ? siteIn(row.name, separator) : null
  return {
    ...row,
    ...(own?.site != null
      ? { site: own.site, siteFrom: 'technician' }
      : named === null
        ? {}
        : { site: named, siteFrom: 'name' }),
    ...(own?.note == null ? {} : { note: own.note }),
  }
}

/** `rows` from `withNotes`. */
export function sitesOf(rows: readonly RoomRow[], { separator }: RoomNotes): RoomSites {
  const open = rows.filter((row) => !row.gone && (row.site === null || row.siteFrom === 'name'))
  const offers = siteSeparators.flatMap((one) => {
    const found = open.flatMap(({ name }) => siteIn(name, one) ?? [])
    const sites = countsOf(found)
    return found.length === 0
      ? []
      : {
          separator: one,
          rooms: found.length,
          sites: sites.length,
          examples: sites.slice(0, 3).map(({ word }) => word),
          largest: sites.slice(0, 12),
        }
  })
  return { separator, rooms: open.length, offers: offers.toSorted((a, b) => b.rooms - a.rooms) }
}
