import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { DeviceRow } from '../../electron/contract/api/devices.ts'
import { termText } from '../../electron/contract/filter/filter-reader.ts'
import type { Product } from '../../electron/contract/api/firmware.ts'
import type { RoomRow } from '../../electron/contract/api/rooms.ts'
import { api } from '../api.ts'
import { resultOf, type ResultOf } from '../components/latest-result.ts'
import { throttle } from '../components/throttle.ts'

/**
 * Results of each kind, few enough to read at a glance, and the interval of queries, long enough to cost the
 * core little.
 */
const EACH = 5
const PACE_IN_MS = 80
const RECENT_AT_MOST = 6
const byName = [{ column: 'name', descending: false }] as const

/** The words as a filter that searches for exactly these words. */
const whereOf = (words: string): string =>
  words
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => termText({ negated: false, key: null, comparison: 'has', values: [word] }))
    .join(' ')

/** The first results, and their total. */
interface Found<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}
const nothing = { rows: [], total: 0 } as const

/** The core's results for the words in the palette: responses to earlier words are dropped. */
export const usePaletteStore = defineStore('palette', () => {
  const words = ref('')
  /** The words that were sent. */
  const sent = ref('')
  const devices = resultOf<Found<DeviceRow>>(() => sent.value)
  const rooms = resultOf<Found<RoomRow>>(() => sent.value)
  const products = resultOf<Found<Product>>(() => sent.value)
  const all = [devices, rooms, products]
  /** Ids of entries used in this run, newest first. */
  const recent = shallowRef<readonly string[]>([])
  async function find(): Promise<void> {
    const text = (sent.value = words.value)
    if (text === '') return all.forEach((one) => one.clear())
    const query = { where: whereOf(text), sort: byName, start: 0, count: EACH }
    await Promise.all([
      devices.take(text, api.devices.slice(query)),
      rooms.take(text, api.rooms.list(query)),
      products.take(text, api.firmware.products({ text, owned: false, start: 0, count: EACH })),
    ])
  }
  /** Results of the previous words remain until the next arrive. */
  const shown = <Row>({ last }: ResultOf<Found<Row>>) =>
    computed<Found<Row>>(() => (last.value?.failure === null ? last.value.value : null) ?? nothing)
  const throttled = throttle(() => void find(), PACE_IN_MS)

  return {
    words,
    /** The filter that shows all results. */
    where: computed(() => whereOf(sent.value)),
    devices: shown(devices),
    rooms: shown(rooms),
    products: shown(products),
    recent,
    /** Whether queries are in flight. */
    busy: computed(() => all.some((one) => one.busy.value)),
    type(text: string): void {
      words.value = text.trim()
      throttled.call()
    },
    /** Results are removed if the text is empty, so that the palette opens without results. */
    close(): void {
      throttled.stop()
      words.value = sent.value = ''
      all.forEach((one) => one.clear())
    },
    used(id: string): void {
      recent.value = [id, ...recent.value.filter((one) => one !== id)].slice(0, RECENT_AT_MOST)
    },
    /** The used entries belonged to the previous organization. */
    forget(): void {
      recent.value = []
    },
  }
})
