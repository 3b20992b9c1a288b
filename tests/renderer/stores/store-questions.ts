import { toRaw } from 'vue'
import type { DeviceSelection } from '../../../electron/contract/api/devices.ts'
import type { DocumentSelection } from '../../../electron/contract/api/definitions.ts'
import type { GoldenProfile } from '../../../electron/contract/api/golden-profiles.ts'
import type { Job } from '../../../electron/contract/api/jobs.ts'
import type { ProductId } from '../../../electron/contract/api/firmware.ts'
import type { ProductPicture } from '../../../electron/contract/api/pictures.ts'
import type { Task } from '../../../electron/contract/api/tasks.ts'
import type { EventName } from '../../../electron/contract/rpc-client.ts'
import type { SettingNamesResult } from '../../../electron/contract/setting-name.ts'
import { useChangesStore } from '../../../renderer/changes/changes-store.ts'
import { useComparison } from '../../../renderer/comparison/comparison-store.ts'
import { useCompare } from '../../../renderer/definitions/compare-store.ts'
import { useDefinitions } from '../../../renderer/definitions/definitions-store.ts'
import { useDocuments } from '../../../renderer/definitions/documents-store.ts'
import { useDevicePlace } from '../../../renderer/devices/device-place-store.ts'
import { useDeviceStore } from '../../../renderer/devices/device-store.ts'
import { useDevicesStore } from '../../../renderer/devices/devices-store.ts'
import { useSelection } from '../../../renderer/devices/selection-store.ts'
import { useDeviceSettings } from '../../../renderer/devices/settings-store.ts'
import { useDownloads } from '../../../renderer/downloads/downloads-store.ts'
import { useExplorer } from '../../../renderer/explorer/explorer-store.ts'
import { useExports } from '../../../renderer/exports/exports-store.ts'
import { usePastedLists } from '../../../renderer/filter/paste-store.ts'
import { useSavedViews } from '../../../renderer/filter/saved-views-store.ts'
import { useFilterSuggestions } from '../../../renderer/filter/suggest-store.ts'
import { useFirmware } from '../../../renderer/firmware/firmware-store.ts'
import { useFleetFirmware } from '../../../renderer/firmware/fleet-store.ts'
import { useProductSearch } from '../../../renderer/firmware/product-search-store.ts'
import { useGoldenDraft } from '../../../renderer/golden-profiles/golden-draft-store.ts'
import { useGoldenProfile } from '../../../renderer/golden-profiles/golden-profile-store.ts'
import { useGoldenProfiles } from '../../../renderer/golden-profiles/golden-profiles-store.ts'
import { useNotAllowed } from '../../../renderer/golden-profiles/not-allowed-store.ts'
import { rebootOf, useJobPlan } from '../../../renderer/jobs/job-plan-store.ts'
import { useJob } from '../../../renderer/jobs/job-store.ts'
import { useJobList, useJobs } from '../../../renderer/jobs/jobs-store.ts'
import { useJournal } from '../../../renderer/journal/journal-store.ts'
import { useSubjectJournal } from '../../../renderer/journal/subject-journal-store.ts'
import { useKits } from '../../../renderer/kits/kits-store.ts'
import { useLayoutStore } from '../../../renderer/layout/layout-store.ts'
import { useWriteLock } from '../../../renderer/layout/write-lock-store.ts'
import { useListLayouts } from '../../../renderer/lists/list-layout-store.ts'
import { useUpdateNotes } from '../../../renderer/notes/update-notes-store.ts'
import { useOffline } from '../../../renderer/offline/offline-store.ts'
import { useConnect } from '../../../renderer/organizations/connect-store.ts'
import { useMetadataWatch } from '../../../renderer/organizations/metadata-watch-store.ts'
import { useOrganizations } from '../../../renderer/organizations/organizations-store.ts'
import { useOverviewStore } from '../../../renderer/overview/overview-store.ts'
import { usePaletteStore } from '../../../renderer/palette/palette-store.ts'
import { usePictures } from '../../../renderer/pictures/pictures-store.ts'
import { useConnections } from '../../../renderer/preferences/connections-store.ts'
import { useDocumentCache } from '../../../renderer/preferences/document-cache-store.ts'
import { useRoomSites } from '../../../renderer/preferences/room-sites-store.ts'
import { useSavedItems } from '../../../renderer/preferences/saved-items-store.ts'
import { useRecovery } from '../../../renderer/recovery/recovery-store.ts'
import { useReleaseNotes } from '../../../renderer/release-notes/release-notes-store.ts'
import { useRoomRestarts } from '../../../renderer/rooms/room-restarts-store.ts'
import { useRoomSelection } from '../../../renderer/rooms/room-selection-store.ts'
import { useRoomStore } from '../../../renderer/rooms/room-store.ts'
import { useRoomsStore } from '../../../renderer/rooms/rooms-store.ts'
import { useBulkSettings } from '../../../renderer/settings/bulk-store.ts'
import { useReadSettings } from '../../../renderer/settings/read-settings-store.ts'
import { useSettingsReview } from '../../../renderer/settings/review-store.ts'
import { useSettingNames } from '../../../renderer/settings/setting-names-store.ts'
import { useVersionChanges } from '../../../renderer/settings/version-changes-store.ts'
import { useSubjectHistory } from '../../../renderer/subjects/subject-history-store.ts'
import { useTags } from '../../../renderer/tags/tags-store.ts'
import { useTasks } from '../../../renderer/tasks/tasks-store.ts'
import { useTelemetry } from '../../../renderer/definitions/telemetry-store.ts'
import { useWebhooks } from '../../../renderer/organizations/webhooks-store.ts'

/** What the questions are about. */
export interface Subjects {
  readonly devices: readonly string[]
  readonly rooms: readonly string[]
  readonly products: readonly ProductId[]
  readonly jobs: readonly Job[]
  readonly items: readonly number[]
  readonly profiles: readonly GoldenProfile[]
  readonly lines: readonly number[]
  readonly organization: string
  readonly emit: (event: EventName) => void
}
/** A question that is put by calling it. */
export type Question = () => unknown

const picked = (...ids: readonly (string | undefined)[]): DeviceSelection => ({
  kind: 'picked',
  ids: ids.filter((id) => id !== undefined),
})
const schemaVersion = (version: string): DocumentSelection => ({
  product: null,
  variantType: null,
  firmwareVersion: null,
  schemaVersion: version,
  definitionVersion: null,
  trimmed: false,
  source: 'service',
})
interface AnyList {
  readonly startOver: Question
  readonly again: Question
}
const ofList = (list: AnyList): readonly Question[] => [() => list.startOver(), () => list.again()]
const ofFilteredList = (list: AnyList & { where: string }, ...filters: string[]): readonly Question[] => [
  ...ofList(list),
  ...filters.map((where) => () => (list.where = where)),
]

/**
 * How every store is questioned, by its id. What a store needs before is asked and answered while its
 * questions are made.
 */
export const questionsOf: Readonly<
  Record<string, (about: Subjects) => readonly Question[] | Promise<readonly Question[]>>
> = {
  changes: () => {
    const store = useChangesStore()
    return [
      () => store.show(),
      () => void (store.span = 'all'),
      () => void (store.folded = !store.folded),
      () => store.groups?.groups.slice(0, 1).forEach((group) => store.toggle(toRaw(group))),
      () => store.markSeen(),
      ...ofList(store),
    ]
  },
  comparison: ({ devices, rooms }) => {
    const store = useComparison()
    const [a, b] = [rooms[0] ?? '', rooms[1] ?? '']
    return [
      () => store.show({ of: 'rooms', a, b }),
      () => store.show({ of: 'rooms', a: b, b: a }),
      () => store.show({ of: 'devices', a: devices[0] ?? '', b: null }),
      () => store.offer('rooms', ''),
      () => store.offer('devices', ''),
      () => store.readSettings(devices.slice(0, 1)),
      () => store.tick('line', false),
    ]
  },
  compare: ({ products }) => {
    const store = useCompare()
    return [
      () => store.loadProducts(),
      () => store.compare(schemaVersion('18'), schemaVersion('17')),
      () => store.compare(schemaVersion('17'), schemaVersion('18')),
      ...products.map((product) => () => store.loadReleases(product)),
    ]
  },
  'definition-documents': () => {
    const store = useDocuments()
    return [
      () => store.load(schemaVersion('18')),
      () => store.load(schemaVersion('17')),
      () => store.loadVersions(false),
    ]
  },
  definitions: ({ products }) => {
    const store = useDefinitions()
    return [
      ...products.map((id) => () => store.open(id, { variantType: null, firmwareVersion: null })),
      () => store.choose('a', '1.0.0'),
      () => store.resolve(false),
    ]
  },
  device: ({ devices }) => {
    const store = useDeviceStore()
    return [
      ...devices.map((id) => () => store.open(id, 2830)),
      () => store.again(),
      () => store.askFirmware(),
      () => store.retryLink(),
      () => store.writeNote(devices[0] ?? '', 'A note'),
    ]
  },
  'device-place': ({ devices }) => {
    const store = useDevicePlace()
    return [
      ...devices.map((id) => () => store.find(id, { where: '', sort: [] })),
      () => store.step(1),
      () => store.clear(),
    ]
  },
  'device-selection': async ({ devices }) => {
    const store = useSelection()
    const list = useDevicesStore()
    await list.startOver()
    const row = (id: string) => ({ id, serialNumber: null, tags: [] })
    return [
      () => store.chooseAll(),
      ...devices.map((id) => () => store.toggle(row(id))),
      () => store.extendTo(row(devices[1] ?? ''), 5),
      () => store.showOnly('Chosen'),
      () => store.clear(),
      () => void (list.where = 'status:offline'),
    ]
  },
  'device-settings': ({ devices }) => {
    const store = useDeviceSettings()
    return devices.map((id) => () => store.load(id, false))
  },
  devices: () => {
    const store = useDevicesStore()
    return [...ofFilteredList(store, 'status:offline', ''), () => store.fetchFacets()]
  },
  'document-cache': () => {
    const store = useDocumentCache()
    return [() => store.load(), () => store.clear()]
  },
  connect: async () => {
    const store = useConnect()
    await useOrganizations().load()
    return [
      () => store.start('custom'),
      () => store.start('demonstration'),
      () => {
        store.usePreset('demonstration')
        store.draft = { ...store.draft, name: 'Another' }
        store.key = 'a'.repeat(32)
        return store.connect()
      },
    ]
  },
  connections: ({ emit }) => {
    const store = useConnections()
    return [() => store.load(), () => emit('app.changed')]
  },
  downloads: ({ emit }) => {
    const store = useDownloads()
    store.follow()
    return [
      () => store.load(),
      () => emit('downloads.changed'),
      () => store.pause('missing'),
      () => store.resume('missing'),
    ]
  },
  explorer: async ({ devices }) => {
    const store = useExplorer()
    await store.load()
    store.open(
      store.operations?.find(({ parameters }) => parameters.some(({ name }) => name === 'deviceId'))?.name ??
        '',
    )
    return [
      () => store.load(),
      ...devices.map((id) => () => {
        store.set('deviceId', id)
        return store.loadConfirmation()
      }),
      () => store.saveExample('An example'),
    ]
  },
  exports: ({ emit }) => {
    const store = useExports()
    store.follow()
    const choice = { label: 'All', count: null, subject: { of: 'jobs' } } as const
    return [
      () => emit('exports.changed'),
      () => store.cancel('missing'),
      () => {
        store.ask({ title: 'Devices', choices: [choice], columns: ['name'], viewName: null })
        const { subject } = choice
        return store.start({
          subject,
          format: 'csv',
          delimiter: ',',
          timeZone: 'UTC',
          columns: ['name'],
          headLine: false,
        })
      },
      () => store.close(),
    ]
  },
  'filter suggestions': () => {
    const store = useFilterSuggestions()
    return [() => store.suggest('devices', 'name', 'a'), () => store.suggest('rooms', 'name', 'b')]
  },
  firmware: ({ products }) => {
    const store = useFirmware()
    return [
      ...products.map((id) => () => store.open(id, null)),
      () => store.choose('1.0.0'),
      () => store.chooseBuildType('debug'),
      () => store.refresh(),
      () => store.close(),
    ]
  },
  'fleet-firmware': () => {
    const store = useFleetFirmware()
    return [() => store.load(), () => store.loadApprovals(), () => store.compareWith('latest')]
  },
  'golden-draft': ({ devices, profiles }) => {
    const store = useGoldenDraft()
    return [
      ...devices.map((id) => () => store.ofDevice(id, [])),
      () => store.ofChanges(picked(...devices), [{ name: 'ringerVolume', value: 1 }], []),
      ...profiles.map((profile) => () => store.change(profile)),
      () => store.close(),
    ]
  },
  'golden-profile': ({ profiles }) => {
    const store = useGoldenProfile()
    return [
      ...profiles.map(
        ({ id }) =>
          () =>
            store.open(id),
      ),
      () => store.again(),
      () => store.notRead(),
      () => store.workFor(null),
      () => store.close(),
    ]
  },
  'golden-profiles': () => {
    const store = useGoldenProfiles()
    return [() => store.again()]
  },
  job: ({ jobs, items }) => {
    const store = useJob()
    return [
      ...jobs.map(
        ({ id }) =>
          () =>
            store.open(id),
      ),
      ...items.map((item) => () => store.check(item)),
      () => store.again(),
      () => store.pause(jobs[0]?.id ?? ''),
      () => store.cancel(jobs[0]?.id ?? ''),
      () => store.close(),
    ]
  },
  'job-list': () => ofFilteredList(useJobList(), 'state:ended'),
  'job-plan': ({ rooms }) => {
    const store = useJobPlan()
    return [...rooms.map((id) => () => store.ask(rebootOf(id))), () => store.look(), () => store.close()]
  },
  jobs: ({ emit }) => {
    const store = useJobs()
    store.follow(() => undefined)
    return [() => emit('organizations.changed'), ...ofList(store)]
  },
  journal: ({ lines }) => {
    const store = useJournal()
    return [
      ...ofFilteredList(store, 'outcome:done'),
      ...lines.map((id) => () => store.open(id)),
      () => store.close(),
    ]
  },
  kits: ({ devices, rooms }) => {
    const store = useKits()
    return [
      ...devices.map((id) => () => store.ask({ devices: picked(id) })),
      () => store.ask({ rooms: picked(rooms[0]) }),
      () => store.look(),
    ]
  },
  layout: () => {
    const store = useLayoutStore()
    return [
      () => store.fetchStatus(),
      () => store.fetchOrganizations(),
      () => store.start(),
      () => store.setPreferences({ theme: 'dark' }),
      () => store.setPreferences({ theme: 'light', density: 'compact' }),
      () => store.fetchUnreadable(),
      () => store.tryNow(),
    ]
  },
  'list-layouts': () => {
    const store = useListLayouts()
    return [() => store.setDensity('compact'), () => store.setDensity('regular')]
  },
  'metadata-watch': () => {
    const store = useMetadataWatch()
    return [() => store.load(), () => store.check(), () => store.clearCache()]
  },
  'not-allowed': () => ofList(useNotAllowed()),
  offline: () => {
    const store = useOffline()
    return [() => store.open(), () => store.prepare()]
  },
  organizations: ({ organization }) => {
    const store = useOrganizations()
    return [
      () => store.load(),
      () => store.check(organization, 'primary'),
      () => store.use(organization),
      () => store.forgetKey(organization, 'secondary'),
    ]
  },
  overview: () => {
    const store = useOverviewStore()
    return [() => store.load()]
  },
  palette: () => {
    const store = usePaletteStore()
    return [() => store.type('a'), () => store.type('room'), () => store.type(''), () => store.close()]
  },
  'pasted lists': ({ devices }) => {
    const store = usePastedLists()
    return [
      ...devices.map((id) => () => store.look(id)),
      () => store.keep(devices.join('\n'), 'Kept'),
      () => store.fetchLists(),
      () => store.remove('Kept'),
    ]
  },
  pictures: ({ products }) => {
    const store = usePictures()
    return [() => store.load(), ...products.map((id) => () => store.want(id))]
  },
  'product-search': ({ emit }) => {
    const store = useProductSearch()
    store.follow()
    return [
      () => store.search(),
      () => store.find('a'),
      () => store.loadUsual(),
      () => emit('organizations.changed'),
      () => emit('devices.changed'),
    ]
  },
  'read-settings': ({ devices }) => {
    const store = useReadSettings()
    return devices.map((id) => () => store.load(picked(id)))
  },
  recovery: () => {
    const store = useRecovery()
    return [() => store.find('0b0e:24cd'), () => store.find('1234'), () => store.find('')]
  },
  'release-notes': ({ products }) => {
    const store = useReleaseNotes()
    return [...products.map((id) => () => store.open(id, null)), () => store.close()]
  },
  room: ({ rooms }) => {
    const store = useRoomStore()
    return [
      ...rooms.map((id) => () => store.open(id)),
      () => store.again(),
      () => store.refresh(),
      () => store.write(rooms[0] ?? '', 'note', 'A note'),
      () => store.close(),
    ]
  },
  'room-restarts': ({ emit }) => {
    const store = useRoomRestarts()
    store.follow()
    return [() => emit('jobs.changed'), () => emit('organizations.changed')]
  },
  'room-selection': async ({ rooms }) => {
    const store = useRoomSelection()
    const list = useRoomsStore()
    await list.startOver()
    return [
      () => store.chooseAll(),
      ...rooms.map((id) => () => store.toggle({ id })),
      () => store.extendTo({ id: rooms[1] ?? '' }, 3),
      () => store.clear(),
      () => void (list.where = 'status:offline'),
    ]
  },
  'room-sites': () => {
    const store = useRoomSites()
    return [() => store.load(), () => store.choose('-'), () => store.choose('')]
  },
  rooms: () => ofFilteredList(useRoomsStore(), 'status:offline', ''),
  'saved views': () => {
    const store = useSavedViews()
    const view = { list: 'devices', where: 'status:offline', sort: [], columns: null } as const
    return [
      () => store.load('devices'),
      () => store.load('rooms'),
      () => store.save({ ...view, name: 'One' }),
      () => store.save({ ...view, name: 'Two' }),
    ]
  },
  savedItems: () => {
    const store = useSavedItems()
    return [() => store.load()]
  },
  'setting-names': ({ products }) => {
    const store = useSettingNames()
    return [() => store.load(), () => store.load(products.map(({ productId }) => productId))]
  },
  'bulk-settings': ({ devices }) => {
    const store = useBulkSettings()
    return [
      ...devices.map((id) => () => store.open(picked(id))),
      () => store.fetchOne('A product', devices[0] ?? ''),
      () => store.look(),
      () => store.close(),
    ]
  },
  'settings-review': ({ devices }) => {
    const store = useSettingsReview()
    const changes = [{ name: 'ringerVolume', value: 1 }]
    return [
      ...devices.map((deviceId) => () => store.open({ deviceId, name: deviceId, changes, edits: new Map() })),
      () => store.close(),
    ]
  },
  'subject-history': ({ devices, rooms }) => {
    const store = useSubjectHistory()
    return [
      ...devices.map((id) => () => store.open('device', id)),
      () => store.open('room', rooms[0] ?? ''),
      () => store.close(),
    ]
  },
  'subject-journal': ({ devices, rooms }) => {
    const store = useSubjectJournal()
    return [...devices, ...rooms].map((id) => () => store.open(id))
  },
  tags: ({ devices }) => {
    const store = useTags()
    return [() => store.learn(), () => store.change(picked(...devices), ['spare'], [])]
  },
  tasks: ({ emit }) => {
    useTasks().follow()
    return [() => emit('tasks.changed')]
  },
  telemetry: () => {
    const store = useTelemetry()
    return [() => store.load(false), () => store.load(true)]
  },
  'update-notes': ({ products }) => {
    const store = useUpdateNotes()
    return products.map((id) => () => store.open(id))
  },
  'version-changes': ({ products }) => {
    const store = useVersionChanges()
    return products.map((id) => () => store.ask({ ...id, from: '1.0.0', to: '2.0.0' }))
  },
  webhooks: () => {
    const store = useWebhooks()
    return [
      () => store.setText('[{ "data": 1 }]'),
      () => store.setText('{ "data": 2 }'),
      () => store.setText(''),
      () => store.validate(),
    ]
  },
  'write-lock': () => {
    const store = useWriteLock()
    return [() => store.load(), () => store.lockNow()]
  },
}

/** What a store shows by functions, by its id. */
export const shownByFunctions: Readonly<Record<string, (about: Subjects) => unknown>> = {
  pictures: ({ products }) => products.map((id) => usePictures().of(id)),
  tasks: () => useTasks().first('plan'),
  'version-changes': ({ products }) =>
    products.map((id) => useVersionChanges().of({ ...id, from: '1.0.0', to: '2.0.0' })),
  'setting-names': () => useSettingNames().labelOf('a'),
  organizations: ({ organization }) => useOrganizations().lastCheck(organization, 'primary'),
}

/** Answers of methods that have nothing to list in the core of the test. */
export const madeUp: Readonly<Record<string, unknown>> = {
  'tasks.list': [{ id: 'a', of: 'plan', step: null, done: 1, total: 2 }] satisfies readonly Task[],
  'pictures.get': { id: 'a', vendorId: 2830, productId: 1, width: 9, height: 9 } satisfies ProductPicture,
  'definitions.settingNames': { labels: [['a', 'A label']], groups: [] } satisfies SettingNamesResult,
}

/** Methods that a store asks once about a subject: how old that answer is does not depend on later questions. */
export const askedOnce: Readonly<Record<string, readonly string[]>> = {
  device: ['definitions.inUse', 'firmware.link', 'releaseNotes.get'],
}
