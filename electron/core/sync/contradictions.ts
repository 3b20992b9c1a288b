import { Failed } from '../../contract/failure.ts'
import { recordIdentity, type Page } from '../management/management.ts'
import type { RecordKind } from '../storage/store.ts'
import type { StreamName } from './sync-rows.ts'

export const operations = { device: 'ListDevices', room: 'ListMeetingRooms' } as const
export const kindOf = (stream: StreamName): RecordKind => (stream === 'rooms' ? 'room' : 'device')

/** What the pages of one stream say about themselves. */
class StreamPages {
  /** Records so far, also those of an interrupted sync. */
  listed: number
  #pages = 0
  #again = 0
  #twiceOnPage = 0
  readonly #seen = new Set<string>()
  readonly counts: { readonly where: string; readonly said: number }[] = []

  constructor(listedBefore: number) {
    this.listed = listedBefore
  }

  add(kind: RecordKind, page: Page): void {
    this.listed += page.items.length
    this.#pages++
    this.counts.push(...(page.counts ?? []))
    const onPage = new Set<string>()
    for (const item of page.items) {
      const identity = recordIdentity(kind, item)
      if (identity === null) continue
      if (onPage.has(identity)) this.#twiceOnPage++
      else if (this.#seen.has(identity)) this.#again++
      onPage.add(identity)
    }
    for (const identity of onPage) this.#seen.add(identity)
  }

  /** One row may be on two pages, because rows move while pages are read. */
  repeated(): string | null {
    if (this.#twiceOnPage > 0)
      return `${records(this.#twiceOnPage)} came twice on one page, so others may be missing.`
    return this.#again > this.#pages
      ? `${records(this.#again)} came again on later pages, so others may be missing.`
      : null
  }
}

/** Finds out whether the pages of the lists contradict themselves: then a record that they lack may exist. */
export class Contradictions {
  readonly #streams = new Map<StreamName, StreamPages>()

  /** A stream begins, or continues after `listed` records of an interrupted sync. */
  begin(stream: StreamName, listed: number): void {
    // One unfiltered stream replaces the others.
    if (stream === 'devices:all')
      for (const other of this.#streams.keys()) if (other !== 'rooms') this.#streams.delete(other)
    this.#streams.set(stream, new StreamPages(listed))
  }

  /** Returns the number of records of the stream so far. */
  add(stream: StreamName, page: Page): number {
    const pages = this.#streams.get(stream)
    pages?.add(kindOf(stream), page)
    return pages?.listed ?? 0
  }

  /** Whether the pages of the stream so far repeat records, or do not have the stated number when it `ended`. */
  mayBeIn(stream: StreamName, ended: boolean): boolean {
    const pages = this.#streams.get(stream)
    if (pages === undefined) return false
    return pages.repeated() !== null || (ended && pages.counts.some(({ said }) => said !== pages.listed))
  }

  /**
   * null: there is none. A stated count may be that of the stream or of all streams; `different`: the records
   * of all streams, each once.
   */
  of(kind: RecordKind, different: number): Failed | null {
    const streams = [...this.#streams].flatMap(([name, pages]) => (kindOf(name) === kind ? [pages] : []))
    const all = streams.reduce((sum, { listed }) => sum + listed, 0)
    for (const pages of streams) {
      const repeated = pages.repeated()
      if (repeated !== null) return contradiction(kind, 'items', repeated)
      const wrong = pages.counts.find(({ said }) => ![pages.listed, all, different].includes(said))
      if (wrong !== undefined)
        return contradiction(kind, wrong.where, `It says ${wrong.said}, but ${records(different)} came.`)
    }
    return null
  }
}

export const records = (count: number): string => `${count} ${count === 1 ? 'record' : 'records'}`

export const contradiction = (kind: RecordKind, where: string, message: string): Failed =>
  new Failed({
    kind: 'unreadable-answer',
    call: { operation: operations[kind], host: 'management interface' },
    where,
    message,
  })
