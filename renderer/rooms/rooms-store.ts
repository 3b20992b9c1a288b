import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { Failure } from '../../electron/contract/failure.ts'
import type { Room, RoomPage, RoomQuery, RoomRow } from '../../electron/contract/room.ts'
import { link } from '../link.ts'
import { paced } from '../parts/paced.ts'
import { refreshPresentTime } from '../parts/present-time.ts'

/** Rows asked for at once; windows start at multiples of it. */
const BLOCK = 200
/** Windows kept while scrolling: the visible ones and their neighbours. */
const KEPT = 6
/** During a sync announcements come ten a second; what is shown is asked for again twice a second (chosen). */
const RELOAD_EVERY_IN_MS = 500

export type RoomSort = RoomQuery['sort']

/** Rooms in windows, their filter, and the room in the drawer. */
export const useRoomsStore = defineStore('rooms', () => {
  const text = ref('')
  const statuses = shallowRef<readonly string[]>([])
  const sort = shallowRef<RoomSort>({ column: 'name', descending: false })
  const blocks = shallowRef<ReadonlyMap<number, readonly RoomRow[]>>(new Map())
  const total = ref<number | null>(null)
  const all = ref<number | null>(null)
  const asOf = ref<number | null>(null)
  const facets = shallowRef<RoomPage['statuses']>([])
  const failure = shallowRef<Failure | null>(null)
  const startedOver = ref(0)
  const openId = ref<string | null>(null)
  const room = shallowRef<Room | null>(null)
  const roomFailure = shallowRef<Failure | null>(null)

  const question = computed(() => ({ text: text.value, statuses: statuses.value, sort: sort.value }))
  const filtered = computed(() => text.value !== '' || statuses.value.length > 0)
  const under = new Set<number>()

  /** Reads one window; `fresh` forgets the others, as another filter or order does. */
  async function read(block: number, fresh: boolean): Promise<void> {
    const asked = question.value
    under.add(block)
    const outcome = await link.rooms.list({ ...asked, start: block * BLOCK, count: BLOCK })
    under.delete(block)
    if (asked !== question.value) return
    if (!outcome.ok) {
      failure.value = outcome.failure
      return
    }
    const page = outcome.value
    const kept = fresh ? [] : [...blocks.value].filter(([index]) => index !== block).slice(-(KEPT - 1))
    blocks.value = new Map([...kept, [block, page.rows]])
    total.value = page.total
    all.value = page.all
    asOf.value = page.asOf
    facets.value = page.statuses
    failure.value = null
    refreshPresentTime()
  }
  async function startOver(): Promise<void> {
    await read(0, true)
    startedOver.value += 1
  }
  watch(question, () => void startOver())

  function rowAt(index: number): RoomRow | undefined {
    return blocks.value.get(Math.floor(index / BLOCK))?.[index % BLOCK]
  }
  /** The table shows rows from `first` to `last`: windows that are missing are asked for once. */
  function need(first: number, last: number): void {
    for (let block = Math.floor(first / BLOCK); block <= Math.floor(last / BLOCK); block++) {
      if (!blocks.value.has(block) && !under.has(block)) void read(block, false)
    }
  }
  async function readRoom(wanted: string): Promise<void> {
    const outcome = await link.rooms.get({ id: wanted })
    if (openId.value !== wanted) return
    if (outcome.ok) room.value = outcome.value
    roomFailure.value = outcome.ok ? null : outcome.failure
  }
  async function open(wanted: string): Promise<void> {
    openId.value = wanted
    room.value = null
    roomFailure.value = null
    await readRoom(wanted)
  }
  function close(): void {
    openId.value = null
    room.value = null
    roomFailure.value = null
  }
  function clearFilter(): void {
    text.value = ''
    statuses.value = []
  }
  /** What is shown is read again when rooms change; scroll and the open room stay. */
  function follow(): () => void {
    const reload = paced(() => {
      for (const block of new Set([0, ...blocks.value.keys()])) void read(block, false)
      if (openId.value !== null) void readRoom(openId.value)
    }, RELOAD_EVERY_IN_MS)
    const ends = [link.rooms.changed(reload.call), link.devices.changed(reload.call), link.organizations.changed(() => void startOver())]
    return () => [reload.stop, ...ends].forEach((end) => end())
  }

  return {
    text,
    statuses,
    sort,
    blocks,
    total,
    all,
    asOf,
    facets,
    failure,
    startedOver,
    filtered,
    openId,
    room,
    roomFailure,
    startOver,
    rowAt,
    need,
    open,
    close,
    clearFilter,
    follow,
  }
})
