import { acceptHMRUpdate, defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { About, AppStatus, Theme } from '../../electron/contract/api/app.ts'
import type { Preferences } from '../../electron/contract/api/app.ts'
import type { UnreadableRecord } from '../../electron/contract/api/devices.ts'
import type { Place } from '../../electron/contract/notification.ts'
import { isKind, type Failure } from '../../electron/contract/failure.ts'
import type { OrganizationList } from '../../electron/contract/api/organizations.ts'
import { failureText } from '../failures/failure-text.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'
import { text } from '../locales/i18n.ts'
import { keepDrawerWidth } from '../components/drawer-width.ts'
import { formatMoment } from '../components/format.ts'
import { refreshNow } from '../components/now.ts'
import { applyPreferences, followSystem } from './appearance.ts'

/** The data that the layout always shows: the status of the current organization, the organizations, the preferences. */
export const useLayoutStore = defineStore('layout', () => {
  const statusAnswer = latestResult<AppStatus>()
  const status = statusAnswer.value
  const organizationAnswer = latestResult<OrganizationList>()
  const organizations = organizationAnswer.value
  const stored = latestResult<Preferences>()
  const initial: Preferences = {
    theme: 'system',
    contrast: 'regular',
    density: 'regular',
    language: 'en',
    timeZone: null,
    syncEveryInMinutes: 15,
    staleAfterInHours: 24,
    downloadsAtOnce: 3,
    downloadFolder: null,
    exportFormat: 'csv',
    exportDelimiter: ',',
    notifications: [],
    roomDownAfterInMinutes: 10,
    quietHours: null,
    layouts: {},
    drawerWidth: null,
    lastPage: null,
  }
  type Change = Partial<Preferences>
  /** What was changed in this run, in this order; a change that the core refuses is taken out again. */
  const changes = shallowRef<readonly Change[]>([])
  const preferences = computed<Preferences>({
    get: () => Object.assign({ ...initial }, stored.value.value, ...changes.value),
    set: (next) => {
      const [last, change] = [changes.value.at(-1), differenceTo(next)]
      // Dragging a column makes many changes.
      const isMerged = last !== undefined && !awaited.has(last)
      changes.value = isMerged ? changes.value.with(-1, { ...last, ...change }) : [...changes.value, change]
    },
  })
  /** Changes that the core may still refuse. */
  const awaited = new Set<Change>()
  const differenceTo = (next: Preferences): Change =>
    Object.fromEntries(
      Object.entries(next).filter(([name, value]) => value !== preferences.value[name as keyof Preferences]),
    )
  const aboutAnswer = latestResult<About>()
  const about = aboutAnswer.value
  /** Whether shortcuts use Command. */
  const mac = computed(() => about.value?.platform === 'darwin')
  /** Why the layout has no data. */
  const failure = computed(() => statusAnswer.failure.value ?? organizationAnswer.failure.value)
  const requested = latestResult<unknown>()
  /** Why the last requested sync did not complete; cleared when the next one begins. */
  const syncFailure = computed(() =>
    isKind(requested.failure.value, 'cancelled') ? null : requested.failure.value,
  )
  /** Ids of problems dismissed in this run. */
  const hidden = shallowRef<ReadonlySet<string>>(new Set())

  const hasOrganization = computed(() =>
    organizations.value ? organizations.value.organizations.length > 0 : null,
  )
  const current = computed(() => organizations.value?.organizations.find((o) => o.current) ?? null)
  const syncing = computed(() => requested.busy.value || (status.value?.sync.running ?? false))
  /** Why the data is not up to date: the requested sync, else the last automatic one. */
  const staleBecause = computed(() => {
    const last = syncFailure.value ?? (syncing.value ? null : (status.value?.sync.lastFailure ?? null))
    return last && !isKind(last, 'cancelled') && !hidden.value.has(`sync ${last.kind}`) ? last : null
  })
  const notes = computed(() => (status.value?.sync.notes ?? []).filter((note) => !hidden.value.has(note)))
  const unreadable = latestResult<readonly UnreadableRecord[]>()
  const problems = computed(() =>
    (status.value?.problems ?? []).filter((problem) => !hidden.value.has(problem.id)),
  )

  const newer = computed(() => {
    const known = status.value?.newer ?? null
    return known === null || hidden.value.has(`newer ${known.version}`) ? null : known
  })

  let askAgain = false
  /** Up to ten events a second: one query at a time, and one more at the end. */
  async function fetchStatus(): Promise<void> {
    askAgain = statusAnswer.busy.value
    if (askAgain) return
    await statusAnswer.take(api.app.status())
    refreshNow()
    if (askAgain) await fetchStatus()
  }
  async function fetchOrganizations(): Promise<void> {
    await organizationAnswer.take(api.organizations.list())
  }
  /**
   * Whether there is an organization. Queried again if none is known, because the event about a new one
   * arrives after the response that opens its pages.
   */
  async function findOrganization(): Promise<boolean | null> {
    if (hasOrganization.value === false) await fetchOrganizations()
    return hasOrganization.value
  }
  async function useOrganization(id: string): Promise<Failure | null> {
    const outcome = await api.organizations.use({ id })
    await Promise.all([fetchOrganizations(), fetchStatus()])
    return outcome.ok ? null : outcome.failure
  }
  /**
   * Starts a sync, or joins the running one. If the sync already waits to start, a second click has no
   * effect.
   */
  const sync = (): Promise<void> => request(() => api.sync.run())
  /** A new sync marks what the last one held as gone, if this is still the same. */
  async function acceptGone(): Promise<void> {
    const { devices, rooms } = status.value?.sync.held ?? {}
    if (!devices || !rooms) return
    const count = devices.known - devices.listed + rooms.known - rooms.listed
    await request(() => api.sync.acceptGone({ count }))
  }
  async function request(run: typeof api.sync.run): Promise<void> {
    if (requested.busy.value) return
    requested.clear()
    hidden.value = new Set([...hidden.value].filter((id) => !id.startsWith('sync ')))
    await requested.take(run())
    await fetchStatus()
  }
  /** What failed for want of it is read again. */
  async function signInToProxy(signIn: {
    readonly user: string
    readonly password: string
  }): Promise<Failure | null> {
    const outcome = await api.app.signInToProxy(signIn)
    if (hasOrganization.value === true) void sync()
    return outcome.ok ? null : outcome.failure
  }
  async function cancelSync(): Promise<void> {
    await api.sync.cancel()
  }

  const tried = latestResult<unknown>()
  /** Makes one call during a hold; returns the message to show. */
  async function tryNow(): Promise<{ readonly text: string; readonly kind: 'ok' | 'warn' }> {
    const call = api.budget.tryNow({ reference: null })
    await tried.take(call)
    const outcome = await call
    await fetchStatus()
    if (!outcome.ok) return { text: failureText(outcome.failure).sentence, kind: 'warn' }
    const { outcome: how, failure: why, heldUntilAt } = outcome.value
    if (why === null || heldUntilAt === null)
      return { text: text(`layout.budget.${how === 'lifted' ? 'lifted' : 'notHeld'}`), kind: 'ok' }
    if (isKind(why, 'rate-limited')) return { text: failureText(why).sentence, kind: 'warn' }
    return {
      text: text('layout.budget.stillHeld', {
        why: failureText(why).sentence,
        until: formatMoment(heldUntilAt),
      }),
      kind: 'warn',
    }
  }

  async function fetchUnreadable(): Promise<void> {
    await unreadable.take(api.sync.unreadable())
  }

  const apply = (): void => applyPreferences(preferences.value)
  /** Applies the change at once; if the core rejects it, it is reverted and the error is shown. */
  async function setPreferences(change: Change): Promise<Failure | null> {
    changes.value = [...changes.value, change]
    awaited.add(change)
    apply()
    const outcome = await api.app.setPreferences(change)
    awaited.delete(change)
    if (outcome.ok) return null
    takeBack(change)
    return outcome.failure
  }
  function takeBack(change: Change): void {
    changes.value = changes.value.filter((one) => one !== change)
    apply()
  }
  keepDrawerWidth((width) => setPreferences({ drawerWidth: width }))
  const setTheme = (theme: Theme): Promise<Failure | null> => setPreferences({ theme })
  /** Stores the current page, which is opened again at the next start. */
  function rememberPage(path: string): void {
    if (/^\/(?:welcome|link)/.test(path) || path === preferences.value.lastPage) return
    preferences.value = { ...preferences.value, lastPage: path }
    void api.app.setPreferences({ lastPage: path })
  }
  /** Dismisses a strip for this run; the next sync may show it again. */
  function hideSyncFailure(): void {
    if (staleBecause.value) hidden.value = new Set([...hidden.value, `sync ${staleBecause.value.kind}`])
    requested.failure.value = null
  }
  function hideProblem(id: string): void {
    hidden.value = new Set([...hidden.value, id])
  }

  /**
   * Loads everything once and then follows events; returns the function that stops it. The status counts every record, so pages do not wait
   * for it.
   */
  async function start(): Promise<() => void> {
    const disposers = [
      api.app.changed(() => void fetchStatus()),
      api.organizations.changed(() => void Promise.all([fetchOrganizations(), fetchStatus()])),
    ]
    disposers.push(followSystem(apply))
    await Promise.all([
      fetchOrganizations(),
      stored.take(api.app.preferences()),
      aboutAnswer.take(api.app.about()),
    ])
    apply()
    void fetchStatus()
    return () => disposers.forEach((end) => end())
  }

  /** `open`: a notification was clicked. Returns the function that stops it. */
  const followOpened = (open: (place: Place) => void): (() => void) => api.app.opened(open)

  return {
    status,
    organizations,
    preferences,
    about,
    mac,
    failure,
    syncFailure,
    hasOrganization,
    current,
    syncing,
    staleBecause,
    notes,
    unreadable: computed(() => unreadable.value.value ?? []),
    unreadableFailure: unreadable.failure,
    fetchUnreadable,
    hideSyncFailure,
    problems,
    newer,
    start,
    followOpened,
    fetchStatus,
    fetchOrganizations,
    findOrganization,
    useOrganization,
    sync,
    acceptGone,
    signInToProxy,
    cancelSync,
    trying: tried.busy,
    tryNow,
    setPreferences,
    setTheme,
    rememberPage,
    hideProblem,
  }
})

if (import.meta.hot) import.meta.hot.accept(acceptHMRUpdate(useLayoutStore, import.meta.hot))
