import type { About, Preferences, Standing } from './app.ts'
import type { HoldTrial } from './budget.ts'
import type { Change, ChangeGroups, ChangeQuery, ChangeWindow } from './change.ts'
import type { ContactedHost } from './connection.ts'
import type {
  DefinitionDefaults,
  DefinitionInUse,
  DefinitionQuery,
  ProductDefinitions,
} from './definition.ts'
import type {
  Device,
  DeviceFacets,
  DeviceList,
  DeviceListQuery,
  DeviceSelection,
  DeviceWindow,
  DeviceWindowQuery,
  PastedList,
  UnreadableRecord,
  WordCount,
} from './device.ts'
import type { ExportJob, ExportRequest } from './export.ts'
import type { KeySlot } from './failure.ts'
import type {
  BuildType,
  FirmwareLink,
  FirmwareLinkQuery,
  FirmwareStanding,
  ProductId,
  ProductPage,
  ProductQuery,
  ReleaseList,
  ReleaseQuery,
  ReleaseNotes,
} from './firmware.ts'
import type { KeyCheck, KeyState, Organization, OrganizationDraft, OrganizationList } from './organization.ts'
import type {
  DriftedDeviceWindow,
  GoldenDevicesQuery,
  GoldenProfile,
  GoldenProfileDetails,
  GoldenProfileDraft,
  GoldenProfileStanding,
  NotAllowedWindow,
} from './golden-profile.ts'
import type { ExplorerAnswer, ExplorerCall, ExplorerOperation, ExplorerRun } from './explorer.ts'
import type {
  Job,
  JobDraft,
  JobItemPage,
  JobItemQuery,
  JobPage,
  JobPlan,
  JobStart,
  PlannedItem,
} from './job.ts'
import type { JournalPage, JournalQuery } from './journal.ts'
import type { DocumentCacheSize, RecoveryAnswer, Telemetry, VersionWatch } from './metadata.ts'
import type { Overview } from './overview.ts'
import type { Room, RoomPage, RoomQuery } from './room.ts'
import type { DeviceSettings, SettingsOver } from './setting.ts'
import type { SyncReport } from './sync.ts'
import type { Tag, TagChange } from './tag.ts'
import type { ListName, SavedView, SavedViewDraft } from './view.ts'
import type {
  WebhookCheck,
  WebhookCheckRequest,
  WebhookReading,
  WebhookStep,
  WebhookValidation,
} from './webhook.ts'
import type { RebootPlan, RebootRequest, WriteLock, WriteReport } from './write.ts'

/** A question the view may ask: argument in, Outcome of result out. The types exist only for the compiler. */
export interface Call<A, R> {
  readonly kind: 'call'
  readonly argument?: A
  readonly result?: R
}
/** Something the core announces: what changed, never rows. At most ten a second per kind. */
export interface Push<T> {
  readonly kind: 'push'
  readonly payload?: T
}

const call = <A, R>(): Call<A, R> => ({ kind: 'call' })
const push = <T>(): Push<T> => ({ kind: 'push' })

/**
 * Everything that crosses between view and core. One line here, one core function, one use in a store:
 * the link, the answerer, the channels and the test double are derived (wire.ts), the guards stand in arguments.ts.
 */
export const calls = {
  app: {
    about: call<void, About>(),
    standing: call<void, Standing>(),
    preferences: call<void, Preferences>(),
    setPreferences: call<Partial<Preferences>, Preferences>(),
    /** Opens an address in the system's browser: https, or of the running demonstration; asks for a host that was not opened before. */
    openOutside: call<{ url: string }, void>(),
    copy: call<{ text: string }, void>(),
    /** The standing changed: ask again. */
    changed: push<{ readonly what: 'standing' }>(),
  },
  organizations: {
    list: call<void, OrganizationList>(),
    add: call<OrganizationDraft, Organization>(),
    update: call<{ id: string; draft: OrganizationDraft }, Organization>(),
    use: call<{ id: string }, Organization>(),
    remove: call<{ id: string }, void>(),
    setKey: call<{ id: string; slot: KeySlot; key: string }, KeyState>(),
    checkKey: call<{ id: string; slot: KeySlot }, KeyCheck>(),
    /** The technician says that a key stored before keys were bound may go to this origin, which is the organization's. */
    bindKey: call<{ id: string; slot: KeySlot; origin: string }, KeyState>(),
    forgetKey: call<{ id: string; slot: KeySlot }, KeyState>(),
    /** Uses the other key from now on; what stood still after a 401 goes on. */
    useKey: call<{ id: string; slot: KeySlot }, Organization>(),
    /** The technician says that the key that was left was regenerated in the portal: the reminder ends. */
    keyRegenerated: call<{ id: string; slot: KeySlot }, Organization>(),
    changed: push<{ readonly ids: readonly string[] }>(),
  },
  budget: {
    /** One call although the service holds the subscription: asked for by a person alone. It has its line in the journal. */
    tryNow: call<void, HoldTrial>(),
  },
  sync: {
    /** Starts a sync of the current organization, or joins the one that runs; answers when it ends. */
    run: call<void, SyncReport>(),
    cancel: call<void, void>(),
    unreadable: call<void, readonly UnreadableRecord[]>(),
  },
  devices: {
    window: call<DeviceWindowQuery, DeviceWindow>(),
    facets: call<{ readonly where: string }, DeviceFacets>(),
    /** Where a device stands in a list, so that a list keeps its place; null: it does not match. */
    position: call<
      DeviceListQuery & { readonly id: string },
      { readonly index: number | null; readonly total: number }
    >(),
    /** What stands in a field and begins with or holds `typed`, most first, at most 20: for suggestions. `key` is of `deviceVocabulary`. */
    suggest: call<{ readonly key: string; readonly typed: string }, readonly WordCount[]>(),
    /** How many devices a selection means now. */
    selected: call<{ readonly selection: DeviceSelection }, { readonly count: number }>(),
    get: call<{ id: string }, Device>(),
    history: call<{ id: string }, readonly Change[]>(),
    /** `refresh` false: what was read before, with its age, where there is such. */
    settings: call<{ id: string; refresh: boolean }, DeviceSettings>(),
    /** Which settings these devices have, from what was read before: asks no device. */
    settingsOver: call<{ readonly selection: DeviceSelection }, SettingsOver>(),
    changed: push<{ readonly count: number }>(),
  },
  goldenProfiles: {
    /** By name as people count. Every judgement is made from settings that were read before: nothing is asked of a device or a service. */
    list: call<void, readonly GoldenProfileStanding[]>(),
    get: call<{ id: string }, GoldenProfileDetails>(),
    devices: call<
      GoldenDevicesQuery & { readonly start: number; readonly count: number },
      DriftedDeviceWindow
    >(),
    /** The ids of those devices, for a job: the first 10,000; `total` says of how many. */
    deviceIds: call<GoldenDevicesQuery, { readonly ids: readonly string[]; readonly total: number }>(),
    /** A new one, or one changed. Names are unique in an organization, in whatever case. */
    save: call<GoldenProfileDraft, GoldenProfile>(),
    remove: call<{ id: string }, void>(),
    notAllowed: call<{ readonly start: number; readonly count: number }, NotAllowedWindow>(),
    /** Golden profiles, or what is known of the devices they are compared with. */
    changed: push<{ readonly count: number }>(),
  },
  rooms: {
    list: call<RoomQuery, RoomPage>(),
    get: call<{ id: string }, Room>(),
    history: call<{ id: string }, readonly Change[]>(),
    /** Where a room stands in a list; null: it does not match. */
    position: call<
      Pick<RoomQuery, 'where' | 'sort'> & { readonly id: string },
      { readonly index: number | null; readonly total: number }
    >(),
    /** As `devices.suggest`; `key` is of `roomVocabulary`. */
    suggest: call<{ readonly key: string; readonly typed: string }, readonly WordCount[]>(),
    /** Reads one room anew from the service. */
    refresh: call<{ id: string }, Room>(),
    /** Reads the room again for its members. */
    rebootPlan: call<{ id: string }, RebootPlan>(),
    /** One attempt, never repeated by itself. */
    reboot: call<RebootRequest, WriteReport>(),
    changed: push<{ readonly count: number }>(),
  },
  changes: {
    groups: call<ChangeQuery, ChangeGroups>(),
    /** Newest first; `group`: a key of `groups` under the same query, null: every change. */
    window: call<
      ChangeQuery & { readonly group: string | null; readonly start: number; readonly count: number },
      ChangeWindow
    >(),
    /** Everything up to `at` is seen; null: nothing is (an undo). Answers what stands now. */
    look: call<{ readonly at: number | null }, { readonly lookedAt: number | null }>(),
    changed: push<{ readonly count: number }>(),
  },
  overview: {
    get: call<void, Overview>(),
  },
  tags: {
    list: call<void, readonly Tag[]>(),
    change: call<
      {
        readonly selection: DeviceSelection
        readonly add: readonly string[]
        readonly remove: readonly string[]
      },
      TagChange
    >(),
    rename: call<{ readonly from: string; readonly to: string }, TagChange>(),
    remove: call<{ readonly name: string }, TagChange>(),
    undo: call<{ readonly undo: string }, TagChange>(),
    changed: push<{ readonly count: number }>(),
  },
  lists: {
    list: call<void, readonly DeviceList[]>(),
    /** `keep` false: looks only. A list of that name is replaced; null: named after the time. */
    paste: call<
      { readonly text: string; readonly keep: boolean; readonly name: string | null },
      PastedList
    >(),
    remove: call<{ readonly name: string }, readonly DeviceList[]>(),
  },
  views: {
    list: call<{ readonly list: ListName }, readonly SavedView[]>(),
    /** One of the same list and name is replaced. */
    save: call<SavedViewDraft, readonly SavedView[]>(),
    rename: call<{ readonly id: number; readonly name: string }, readonly SavedView[]>(),
    remove: call<{ readonly id: number }, readonly SavedView[]>(),
  },
  exports: {
    /** Asks where to; null: the technician thought better of it. Goes on in the background. */
    start: call<ExportRequest, ExportJob | null>(),
    /** Of this run, newest first. */
    list: call<void, readonly ExportJob[]>(),
    cancel: call<{ readonly id: string }, readonly ExportJob[]>(),
    /** Shows the finished file in its folder. */
    show: call<{ readonly id: string }, void>(),
    changed: push<{ readonly count: number }>(),
  },
  connections: {
    list: call<void, readonly ContactedHost[]>(),
  },
  firmware: {
    products: call<ProductQuery, ProductPage>(),
    releases: call<ReleaseQuery, ReleaseList>(),
    buildTypes: call<void, readonly BuildType[]>(),
    link: call<FirmwareLinkQuery & { readonly refresh: boolean }, FirmwareLink>(),
    standing: call<{ deviceId: string }, FirmwareStanding>(),
  },
  releaseNotes: {
    get: call<ProductId, ReleaseNotes>(),
  },
  definitions: {
    inUse: call<{ readonly refresh: boolean }, DefinitionInUse>(),
    /** `variantType`: the variant that was chosen already; null: none. */
    defaults: call<ProductId & { readonly variantType: string | null }, DefinitionDefaults>(),
    read: call<DefinitionQuery, ProductDefinitions>(),
  },
  writes: {
    lock: call<void, WriteLock>(),
    /** Locks now, whatever was unlocked before. */
    lockNow: call<void, WriteLock>(),
    changed: push<{ readonly unlocked: boolean }>(),
  },
  jobs: {
    /** Reads what the draft needs and nothing else; the plan is kept for 30 minutes, at most 20 of them. */
    plan: call<JobDraft, JobPlan>(),
    /** Items of a plan, and after them those that would be skipped. */
    planned: call<
      { readonly plan: string; readonly start: number; readonly count: number },
      { readonly items: readonly PlannedItem[]; readonly total: number }
    >(),
    start: call<JobStart, Job>(),
    /** Newest first. */
    list: call<{ readonly start: number; readonly count: number }, JobPage>(),
    get: call<{ readonly id: string }, Job>(),
    items: call<JobItemQuery, JobItemPage>(),
    pause: call<{ readonly id: string }, Job>(),
    resume: call<{ readonly id: string; readonly unlock: boolean }, Job>(),
    /** What was not sent is not sent any more; what is under way ends. */
    cancel: call<{ readonly id: string }, Job>(),
    /** A plan of what failed, to be started as any other. */
    retry: call<{ readonly id: string }, JobPlan>(),
    /** Looks at what became of an item that ended unknown: a read, never the write again. */
    check: call<{ readonly item: number }, JobItemPage>(),
    changed: push<{ readonly ids: readonly string[] }>(),
  },
  webhooks: {
    read: call<{ readonly text: string }, WebhookReading>(),
    /** Reads `text` again and asks its validation address, once. */
    validate: call<{ readonly text: string }, WebhookValidation>(),
    check: call<WebhookCheckRequest, WebhookCheck>(),
    /** Keeps which steps are done; null: only tells. */
    steps: call<{ readonly done: readonly WebhookStep[] | null }, readonly WebhookStep[]>(),
  },
  journal: {
    list: call<JournalQuery, JournalPage>(),
    changed: push<{ readonly count: number }>(),
  },
  explorer: {
    operations: call<void, readonly ExplorerOperation[]>(),
    run: call<ExplorerRun, ExplorerAnswer>(),
    examples: call<void, readonly ExplorerCall[]>(),
    saveExample: call<
      {
        readonly name: string
        readonly operation: string
        readonly parameters: Readonly<Record<string, string>>
      },
      readonly ExplorerCall[]
    >(),
    removeExample: call<{ readonly id: number }, readonly ExplorerCall[]>(),
    history: call<void, readonly ExplorerCall[]>(),
  },
  metadata: {
    telemetry: call<{ readonly refresh: boolean }, Telemetry>(),
    /** `text`: a USB id of a device in recovery mode, in any notation. */
    recovery: call<{ readonly text: string }, RecoveryAnswer>(),
    versions: call<{ readonly refresh: boolean }, VersionWatch>(),
    cacheSize: call<void, DocumentCacheSize>(),
    clearCache: call<void, DocumentCacheSize>(),
  },
} as const

export type Calls = typeof calls
