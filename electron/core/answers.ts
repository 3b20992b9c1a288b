import type { Standing, Trouble } from '../contract/app.ts'
import { Failed } from '../contract/failure.ts'
import type { ProductNotCompared } from '../contract/firmware.ts'
import type { SyncState } from '../contract/sync.ts'
import type { AllHandlers } from '../contract/rpc-client.ts'
import { managementLimits } from './call-budget/call-budget.ts'
import type { Desks } from './desks.ts'
import type { GoldenProfiles } from './golden-profiles/golden-profiles.ts'
import type { Explorer } from './explorer/explorer.ts'
import type { SharedParts } from './console-parts.ts'
import { settingsOver } from './settings/settings-over.ts'
import type { Workbook } from './storage/workbook.ts'

/** What each call of the contract does: one line to the feature that knows. */
export function answersOf(
  shared: SharedParts,
  workbook: Workbook,
  desks: Desks,
  announceLooked: () => void,
): AllHandlers {
  const {
    host,
    organizations,
    documents,
    devices,
    rooms,
    changes,
    journal,
    tags,
    savedViews,
    exported,
    connections,
    overview,
    webhooks,
  } = shared
  const currentId = async (): Promise<string> => (await desks.currentOrganization()).id
  const explorer = async (): Promise<Explorer> => (await desks.current()).reference.explorer
  const goldenProfiles = async (): Promise<GoldenProfiles> => (await desks.current()).goldenProfiles
  const since = host.clock.now()
  const setup: readonly Trouble[] = host.unsafeSetup.map((failure) => ({
    id: `unsafe-setup ${failure.detail}`,
    failure,
    since,
    done: null,
  }))
  /** After a change of profile or key the sync of the current organization goes on in the background. */
  const thenAgree = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work
    void desks.agree()
    return result
  }

  return {
    app: {
      about: async () => host.about,
      standing: () => standing(shared, desks, setup),
      preferences: () => workbook.preferences(),
      setPreferences: async (changed) => {
        const kept = await workbook.setPreferences(changed)
        if (changed.syncEveryInMinutes !== undefined) await desks.reschedule()
        return kept
      },
      openOutside: async ({ url }) => {
        if (await host.desktop.openOutside(url, await connections.wasOutside(url))) connections.outside(url)
      },
      copy: ({ text }) => host.desktop.copy(text),
    },
    organizations: {
      list: () => organizations.list(),
      add: (draft) => thenAgree(organizations.add(draft)),
      update: (argument) => thenAgree(organizations.update(argument)),
      use: (argument) => thenAgree(organizations.use(argument)),
      remove: async ({ id }) => {
        await organizations.remove({ id })
        void desks.forget(id)
        void desks.agree()
      },
      // Nothing is sent with a new key but the check: a wrong one must not meet three streams at once.
      setKey: (argument) => organizations.setKey(argument),
      checkKey: (argument) =>
        thenAgree(
          organizations.checkKey(argument, async (organization, slot) => {
            const desk = await desks.of(organization)
            // Specified word of deviceClientType; one call with page size 1 (behaviour, section 1).
            await desk.keyCheck(slot).devicePage({
              stream: 'MeetingRoom',
              token: null,
              pageSize: 1,
              lane: 'interactive',
              signal: null,
            })
          }),
        ),
      bindKey: (argument) => thenAgree(organizations.bindKey(argument)),
      forgetKey: (argument) => organizations.forgetKey(argument),
      useKey: (argument) => thenAgree(organizations.useKey(argument)),
      keyRegenerated: (argument) => organizations.keyRegenerated(argument),
    },
    budget: {
      tryNow: async () => {
        const trial = await (await desks.current()).tryHeld()
        if (trial.outcome === 'lifted') void desks.agree()
        return trial
      },
    },
    sync: {
      run: async () => (await desks.current()).sync.run(),
      cancel: async () => (await desks.current()).sync.cancel(),
      unreadable: async () => (await desks.current()).sync.unreadable(),
    },
    devices: {
      window: async (query) => devices.window(await currentId(), query),
      facets: async ({ where }) => devices.facets(await currentId(), where),
      position: async (query) => devices.position(await currentId(), query),
      suggest: async (query) => devices.suggest(await currentId(), query),
      selected: async ({ selection }) => ({ count: await devices.countOf(await currentId(), selection) }),
      get: async ({ id }) => devices.get(await currentId(), id),
      history: async ({ id }) => changes.forSubject(await currentId(), 'device', id),
      settings: async ({ id, refresh }) => (await desks.current()).settings.read(id, { refresh }),
      settingsOver: async ({ selection }) => {
        const { settings } = await desks.current()
        return settingsOver({ devices, settings, store: shared.store }, await currentId(), selection)
      },
    },
    goldenProfiles: {
      list: async () => (await goldenProfiles()).list(),
      get: async ({ id }) => (await goldenProfiles()).get(id),
      devices: async (query) => (await goldenProfiles()).devices(query),
      deviceIds: async (query) => (await goldenProfiles()).deviceIds(query),
      save: async (draft) => (await goldenProfiles()).save(draft),
      remove: async ({ id }) => (await goldenProfiles()).remove(id),
      notAllowed: async (window) => (await goldenProfiles()).notAllowed(window),
    },
    rooms: {
      list: async (query) => rooms.list(await currentId(), query),
      get: async ({ id }) => rooms.get(await currentId(), id),
      history: async ({ id }) => changes.forSubject(await currentId(), 'room', id),
      position: async (query) => rooms.position(await currentId(), query),
      suggest: async (query) => rooms.suggest(await currentId(), query),
      refresh: async ({ id }) => (await desks.current()).refreshRoom(id),
      rebootPlan: async ({ id }) => (await desks.current()).reboots.plan(id),
      reboot: async (request) => (await desks.current()).reboots.reboot(request),
    },
    changes: {
      groups: async (query) => changes.groups(await currentId(), query),
      window: async (query) => changes.window(await currentId(), query),
      look: async ({ at }) => {
        const looked = await changes.look(await currentId(), at)
        announceLooked()
        return looked
      },
    },
    overview: {
      get: async () => {
        const [id, { staleAfterInHours }, notCompared] = await Promise.all([
          currentId(),
          workbook.preferences(),
          productsNotCompared(desks),
        ])
        return overview.get(id, staleAfterInHours * 3_600_000, notCompared)
      },
    },
    tags: {
      list: async () => tags.list(await currentId()),
      change: async (change) => tags.change(await currentId(), change),
      rename: async (names) => tags.rename(await currentId(), names),
      remove: async ({ name }) => tags.remove(await currentId(), name),
      undo: async ({ undo }) => tags.undo(await currentId(), undo),
    },
    lists: {
      list: async () => tags.lists(await currentId()),
      paste: async (pasted) => tags.paste(await currentId(), pasted),
      remove: async ({ name }) => tags.removeList(await currentId(), name),
    },
    views: {
      list: ({ list }) => savedViews.list(list),
      save: (draft) => savedViews.save(draft),
      rename: ({ id, name }) => savedViews.rename(id, name),
      remove: ({ id }) => savedViews.remove(id),
    },
    exports: {
      start: async (request) => {
        const { id, name } = await desks.currentOrganization()
        return exported.start({ organizationId: id, organizationName: name }, request)
      },
      list: async () => exported.list(),
      cancel: async ({ id }) => exported.cancel(id),
      show: ({ id }) => exported.show(id),
    },
    connections: {
      list: () => connections.list(),
    },
    writes: {
      lock: async () => (await desks.current()).gate.lock(),
      lockNow: async () => (await desks.current()).gate.lockNow(),
    },
    jobs: {
      plan: async (draft) => (await desks.current()).jobs.plan(draft),
      planned: async (query) => (await desks.current()).jobs.planned(query),
      start: async (start) => (await desks.current()).jobs.start(start),
      list: async (query) => (await desks.current()).jobs.list(query),
      get: async ({ id }) => (await desks.current()).jobs.get(id),
      items: async (query) => (await desks.current()).jobs.items(query),
      pause: async ({ id }) => (await desks.current()).jobs.pause(id),
      resume: async (resume) => (await desks.current()).jobs.resume(resume),
      cancel: async ({ id }) => (await desks.current()).jobs.cancel(id),
      retry: async ({ id }) => (await desks.current()).jobs.retry(id),
      check: async ({ item }) => (await desks.current()).jobs.check(item),
    },
    webhooks: {
      read: ({ text }) => webhooks.read(text),
      validate: ({ text }) => webhooks.validate(text),
      check: (given) => webhooks.check(given),
      steps: ({ done }) => webhooks.steps(done),
    },
    journal: {
      list: async (query) => journal.list(await currentId(), query),
    },
    firmware: {
      products: async (query) => (await desks.current()).firmware.products(query),
      releases: async (product) => (await desks.current()).firmware.releases(product),
      buildTypes: async () => (await desks.current()).firmware.buildTypes(),
      link: async (query) => (await desks.current()).firmware.link(query),
      standing: async ({ deviceId }) => {
        const desk = await desks.current()
        return desk.firmware.standing(await devices.get(desk.organization.id, deviceId))
      },
    },
    releaseNotes: {
      get: async (product) => (await desks.current()).releaseNotes.get(product),
    },
    definitions: {
      inUse: async (query) => (await desks.current()).definitions.inUse(query),
      defaults: async (query) => (await desks.current()).definitions.defaults(query),
      read: async (query) => (await desks.current()).definitions.read(query),
    },
    explorer: {
      operations: async () => (await explorer()).operations(),
      run: async (run) => (await explorer()).run(run),
      examples: async () => (await explorer()).examples(),
      saveExample: async (example) => (await explorer()).saveExample(example),
      removeExample: async (example) => (await explorer()).removeExample(example),
      history: async () => (await explorer()).history(),
    },
    metadata: {
      telemetry: async (query) => (await desks.current()).reference.telemetry(query),
      recovery: async (query) => (await desks.current()).reference.recovery.look(query),
      versions: async (query) => (await desks.current()).reference.versions(query),
      cacheSize: () => documents.size(),
      clearCache: async () => {
        await desks.forgetCatalogue(() => documents.clear())
        return documents.size()
      },
    },
  }
}

/** The overview is there without a desk too: a demonstration that does not start. */
async function productsNotCompared(desks: Desks): Promise<readonly ProductNotCompared[]> {
  try {
    return await (await desks.current()).notCompared()
  } catch (error) {
    if (error instanceof Failed) return []
    throw error
  }
}

const noSync: SyncState = {
  running: false,
  startedAt: null,
  devicesRead: 0,
  roomsRead: 0,
  pages: 0,
  waitingFor: null,
  last: null,
  lastFailure: null,
  completeAt: null,
  notes: [],
  nextAt: null,
}

/** What the frame shows. Opens the current desk so that a budget is told from its history, but never fails because it cannot. */
async function standing(
  { organizations, fileTroubles, devices, rooms, changes, endedUnknown }: SharedParts,
  desks: Desks,
  setup: readonly Trouble[],
): Promise<Standing> {
  const troubles = [...setup, ...fileTroubles(), ...organizations.troubles()]
  const organization = await desks.currentOrganization().catch(() => null)
  const desk = organization === null ? null : await desks.of(organization).catch(() => null)
  const id = organization?.id ?? null
  if (id !== null) troubles.push(...endedUnknown.troubles(id))
  const other = desk?.otherProgram() ?? null
  if (other !== null)
    troubles.push({
      id: 'other-program',
      failure: { kind: 'other-program', ...other },
      since: other.since,
      done: null,
    })
  const nothing = { count: 0, asOf: null }
  const [deviceStanding, roomStanding] =
    id === null ? [nothing, nothing] : await Promise.all([devices.standing(id), rooms.standing(id)])
  const newChangeCount = id === null ? 0 : await changes.newCount(id)
  const sync = desk?.sync.state() ?? noSync
  const { published } = managementLimits
  return {
    organizationId: id,
    deviceCount: deviceStanding.count,
    roomCount: roomStanding.count,
    unreadableCount: (sync.last?.devices.unreadable ?? 0) + (sync.last?.rooms.unreadable ?? 0),
    newChangeCount,
    asOf: oldest(deviceStanding.asOf, roomStanding.asOf),
    ...(desk?.connection() ?? { connection: 'unknown', connectionAt: null }),
    sync: desk === null ? sync : { ...sync, notes: [...sync.notes, ...desk.metadataNotes()] },
    budget: desk?.budget.state() ?? {
      second: { used: 0, limit: published.perSecond },
      fiveMinutes: { used: 0, limit: published.perWindow },
      waiting: 0,
      pausedUntil: null,
      heldUntilAt: null,
      waitReason: null,
      history: null,
    },
    writeLock: desk?.gate.lock() ?? { unlocked: false, untilAt: null },
    troubles,
  }
}

const oldest = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b)
