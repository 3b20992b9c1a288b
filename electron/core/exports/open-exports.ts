import type { OpenedExport, OpenRequest } from '../../contract/api/exports.ts'
import { Failed } from '../../contract/failure.ts'
import type { Platform } from '../platform.ts'
import { begun, contentOf, writerOf, type Content } from './export-content.ts'
import { exportTable, type ExportFor, type ExportSources, type ExportTable } from './export-rows.ts'
import { documentWriter } from './table-text.ts'

/** Contract. */
const openAtMost = 8
/** Contract. */
const pieceAtMost = 65_536
/**
 * Characters from which a piece is long enough. Joining everything up to the maximum copies most of the text
 * once more. Raise it if calls take more time than rows.
 */
const joinedUpTo = 32_768

/** The exports that one client has opened. */
export interface OpenExports {
  /**
   * Rejects with Failed `invalid` for an unusable filter, column or time zone and for one too many,
   * `cancelled` after `close`, or `cache-unusable`.
   */
  open(whose: ExportFor, request: OpenRequest): Promise<OpenedExport>
  /** The next piece, at most 65,536 characters; null: it is complete, and closed. */
  next(id: string): Promise<{ readonly text: string } | null>
  /** The client has gone. */
  close(): Promise<void>
}

interface Open {
  readonly table: ExportTable
  /** Products whose releases were never read. */
  readonly unread: number
  readonly pieces: AsyncGenerator<string, void, undefined>
  /** Removes what was stored for it. */
  readonly end: () => Promise<void>
}

export function openExportsOf(sources: ExportSources & { readonly newId: Platform['newId'] }): OpenExports {
  const all = new Map<string, Promise<Open>>()
  let isClosed = false
  const remove = async (id: string): Promise<void> => {
    const opening = all.get(id)
    all.delete(id)
    const one = await opening?.catch(() => null)
    await one?.pieces.return()
    await one?.end()
  }

  async function begin(whose: ExportFor, request: OpenRequest): Promise<Open> {
    const { stages, subject } = request
    if (stages !== undefined && subject.of !== 'devices')
      throw Failed.invalid('stages', 'Only devices are compared with releases.')
    const judged = stages === undefined ? null : await (await whose.session()).judgedWith(stages)
    const { devices = sources.devices, unread = 0 } = judged ?? {}
    const end = async (): Promise<void> => judged?.end()
    try {
      const table = await exportTable({ ...sources, devices }, whose, request)
      const pieces = piecesOf(contentFor(table, whose.organizationName, request))
      return { table, unread, pieces, end }
    } catch (error) {
      await end()
      throw error
    }
  }

  function contentFor(table: ExportTable, organizationName: string, request: OpenRequest): Content {
    const { format } = request
    if (format === 'rows' || format === 'records')
      return contentOf(table.total, '', table.documents, documentWriter)
    const writer = writerOf({ ...request, format }, { isFile: false, headLine: false })
    const head = begun(organizationName, request, table, { now: sources.clock.now(), writer })
    return contentOf(table.total, head, table.batches, writer)
  }

  return {
    async open(whose, request) {
      if (isClosed) throw new Failed({ kind: 'cancelled' })
      if (all.size >= openAtMost)
        throw Failed.invalid('exports', `${openAtMost} lists are open. Read one of them to its end first.`)
      const id = sources.newId()
      const opening = begin(whose, request)
      all.set(id, opening)
      try {
        const { table, unread } = await opening
        return { id, total: table.total, all: table.all, asOf: table.asOf, unread }
      } catch (error) {
        all.delete(id)
        throw error
      }
    },

    async next(id) {
      const one = await all.get(id)
      if (one === undefined) throw Failed.invalid('id', 'No list with this id is open. Open it again.')
      try {
        const { value, done } = await one.pieces.next()
        if (done !== true) return { text: value }
      } catch (error) {
        await remove(id)
        throw error
      }
      await remove(id)
      return null
    },

    async close() {
      isClosed = true
      await Promise.allSettled([...all.keys()].map(remove))
    },
  }
}

/** The same text: long pieces are split, never within a surrogate pair, and short ones joined. */
async function* piecesOf(content: Content): AsyncGenerator<string, void, undefined> {
  let text = ''
  for await (const { data } of content) {
    text += data as string
    while (text.length > pieceAtMost) {
      const last = text.charCodeAt(pieceAtMost - 1)
      const end = last >= 0xd800 && last < 0xdc00 ? pieceAtMost - 1 : pieceAtMost
      yield text.slice(0, end)
      text = text.slice(end)
    }
    if (text.length < joinedUpTo) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}
