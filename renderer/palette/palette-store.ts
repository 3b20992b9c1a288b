import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { DeviceRow, ListGroup } from '../../electron/contract/api/devices.ts'
import { termText } from '../../electron/contract/filter/filter-reader.ts'
import { deviceVocabulary, roomVocabulary } from '../../electron/contract/filter/vocabularies.ts'
import type { FleetStatus, Product } from '../../electron/contract/api/firmware.ts'
import type { RoomRow } from '../../electron/contract/api/rooms.ts'
import { api } from '../api.ts'
import { resultOf, type ResultOf } from '../components/latest-result.ts'
import { throttle } from '../components/throttle.ts'
import { isFilter, isVersion, whereOf, wishOf, wordsIn, type Verb, type Wish } from './palette-words.ts'

/**
 * Results that are fetched of each kind, so that the best can be listed, and the interval of queries, long
 * enough to cost the core little.
 */
const FETCHED = 25
const PACE_IN_MS = 80
const RECENT_AT_MOST = 6
/** Fewer letters have no index: 100 ms more at 100,000 devices, measured. Their people are among the devices. */
const NAME_AT_LEAST = 3
const byRoom = [{ column: 'name', descending: false }] as const
const byUser = [{ column: 'userName', descending: false }] as const

/** What a verb without other words is about. */
const withoutWords: Readonly<Record<Verb, { readonly devices: string; readonly rooms: string }>> = {
  reboot: { devices: '', rooms: 'health:down,trouble' },
  update: { devices: 'fw:behind,revoked', rooms: 'fw:behind,revoked' },
  compare: { devices: '', rooms: '' },
  link: { devices: '', rooms: '' },
  print: { devices: '', rooms: '' },
  approve: { devices: '', rooms: '' },
  definitions: { devices: '', rooms: '' },
}
const wheresOf = ({ verb, words }: Wish): { readonly devices: string; readonly rooms: string } =>
  words === ''
    ? withoutWords[verb ?? 'reboot']
    : {
        devices: isFilter(words, deviceVocabulary) ? words : whereOf(words),
        rooms: isFilter(words, roomVocabulary) ? words : whereOf(words),
      }
/** Devices of people: the first word is of a name. */
const peopleOf = (words: string): string => {
  const [first = '', ...others] = wordsIn(words)
  return [
    termText({ negated: false, key: 'user', comparison: 'has', values: [first] }),
    whereOf(others.join(' ')),
  ]
    .filter(Boolean)
    .join(' ')
}

/** The first results, and their total. */
interface Found<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}
const nothing = { rows: [], total: 0 } as const

/** The core's results for the words in the palette: responses to earlier words are dropped. */
export const usePaletteStore = defineStore('palette', () => {
  /** The text in the box. */
  const typed = ref('')
  const words = computed(() => typed.value.trim())
  /** Enter was pressed before the responses: the first result is opened when they are there. */
  const goes = ref(false)
  /** The words that were sent. */
  const sent = ref('')
  const devices = resultOf<Found<DeviceRow>>(() => sent.value)
  const rooms = resultOf<Found<RoomRow>>(() => sent.value)
  const people = resultOf<Found<DeviceRow>>(() => sent.value)
  const products = resultOf<Found<Product>>(() => sent.value)
  /** The same for all words. */
  const sites = resultOf<readonly ListGroup[]>(() => '')
  /** Only for versions. */
  const fleet = resultOf<FleetStatus>(() => sent.value)
  const all = [devices, people, rooms, products, sites, fleet]
  const wish = computed(() => wishOf(sent.value))
  const wheres = computed(() => wheresOf(wish.value))
  /** Ids of entries used in this run, newest first. */
  const recent = shallowRef<readonly string[]>([])
  async function find(): Promise<void> {
    const text = (sent.value = words.value)
    if (text === '') return all.forEach((one) => one.clear())
    const { verb, words: about } = wish.value
    const slice = { start: 0, count: FETCHED }
    await Promise.all([
      devices.take(text, api.devices.slice({ where: wheres.value.devices, sort: [], ...slice })),
      rooms.take(text, api.rooms.list({ where: wheres.value.rooms, sort: byRoom, ...slice })),
      products.take(
        text,
        api.firmware.products({ text: about, owned: verb === 'update', cachedOnly: true, ...slice }),
      ),
      ...(sites.last.value === null ? [sites.take('', api.rooms.groups({ where: '', by: 'site' }))] : []),
      about.length < NAME_AT_LEAST || isFilter(about, deviceVocabulary)
        ? people.clear()
        : people.take(text, api.devices.slice({ where: peopleOf(about), sort: byUser, ...slice })),
      isVersion(about) || verb === 'approve' ? fleet.take(text, api.firmware.status({})) : fleet.clear(),
    ])
  }
  /** Results of the previous words remain until the next arrive. */
  const lastOf = <T>({ last }: ResultOf<T>): T | null =>
    last.value?.failure === null ? last.value.value : null
  const shown = <Row>(result: ResultOf<Found<Row>>) => computed<Found<Row>>(() => lastOf(result) ?? nothing)
  const throttled = throttle(() => void find(), PACE_IN_MS)

  return {
    typed,
    goes,
    wish,
    /** The filters that show all results. */
    wheres,
    devices: shown(devices),
    people: shown(people),
    sites: computed(() => lastOf(sites) ?? []),
    fleet: computed(() => lastOf(fleet)?.products ?? []),
    rooms: shown(rooms),
    products: shown(products),
    recent,
    /** Whether results of what is typed are still to come. */
    busy: computed(() => words.value !== sent.value || all.some((one) => one.busy.value)),
    type(text: string): void {
      typed.value = text
      throttled.call()
    },
    /** Results are removed if the text is empty, so that the palette opens without results. */
    close(): void {
      throttled.stop()
      goes.value = false
      typed.value = sent.value = ''
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
