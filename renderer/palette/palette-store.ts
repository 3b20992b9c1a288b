import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { DeviceRow } from '../../electron/contract/api/devices.ts'
import { termText } from '../../electron/contract/filter/filter-reader.ts'
import type { Product } from '../../electron/contract/api/firmware.ts'
import type { RoomRow } from '../../electron/contract/api/rooms.ts'
import { api } from '../api.ts'
import { throttle } from '../components/throttle.ts'

/**
 * Results of each kind, few enough to read at a glance, and the interval of queries, long enough to cost the
 * core little.
 */
const EACH = 5
const PACE_IN_MS = 80
const RECENT_AT_MOST = 6

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
const nothing = { rows: [], total: 0 }

/** The core's results for the words in the palette: responses to earlier words are dropped. */
export const usePaletteStore = defineStore('palette', () => {
  const words = ref('')
  const devices = shallowRef<Found<DeviceRow>>(nothing)
  const rooms = shallowRef<Found<RoomRow>>(nothing)
  const products = shallowRef<Found<Product>>(nothing)
  /** The filter that shows all results. */
  const asWhere = ref('')
  /** Ids of entries used in this run, newest first. */
  const recent = shallowRef<readonly string[]>([])
  const open = ref(0)
  let requests = 0

  async function find(): Promise<void> {
    const mine = ++requests
    const text = words.value
    const where = whereOf(text)
    asWhere.value = where
    const mineStill = (): boolean => mine === requests
    if (where === '') {
      devices.value = nothing
      rooms.value = nothing
      products.value = nothing
      open.value = 0
      return
    }
    open.value = 3
    const ended = (): void => {
      if (mineStill()) open.value -= 1
    }
    await Promise.all([
      api.devices
        .slice({ where, sort: [{ column: 'name', descending: false }], start: 0, count: EACH })
        .then((outcome) => {
          if (mineStill()) devices.value = outcome.ok ? outcome.value : nothing
          ended()
        }),
      api.rooms
        .list({ where, sort: [{ column: 'name', descending: false }], start: 0, count: EACH })
        .then((outcome) => {
          if (mineStill()) rooms.value = outcome.ok ? outcome.value : nothing
          ended()
        }),
      api.firmware.products({ text, owned: false, start: 0, count: EACH }).then((outcome) => {
        if (mineStill()) products.value = outcome.ok ? outcome.value : nothing
        ended()
      }),
    ])
  }
  const throttled = throttle(() => void find(), PACE_IN_MS)

  return {
    words,
    where: asWhere,
    devices,
    rooms,
    products,
    recent,
    /** Whether queries are in flight. */
    busy: computed(() => open.value > 0),
    type(text: string): void {
      words.value = text.trim()
      throttled.call()
    },
    /** Results are removed if the text is empty, so that the palette opens without results. */
    close(): void {
      throttled.stop()
      requests += 1
      words.value = ''
      devices.value = nothing
      rooms.value = nothing
      products.value = nothing
      open.value = 0
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
