import { z } from 'zod'
import { languages, type Preferences } from './app.ts'
import type { Call, Calls } from './calls.ts'
import { deviceSortColumns, namedAtMost } from './device.ts'
import { exportDelimiters, exportFormats } from './export.ts'
import type { Failure } from './failure.ts'
import { largestProductId, prereleaseStages } from './firmware.ts'
import { driftStates } from './golden-profile.ts'
import { jobOutcomes } from './job.ts'
import { assumedAtMost } from './organization.ts'
import { roomSortColumns } from './room.ts'
import { listNames } from './view.ts'
import { webhookSteps } from './webhook.ts'

/**
 * The guards of every call, for hosts: the view is the far side of a border, so its arguments are read as strangers'.
 * They check shape and bounds only; whether an address or a key is a good one is the feature's own question.
 * Unknown members are refused. All bounds are chosen.
 */

type ChannelOf<R extends keyof Calls> = {
  [K in keyof Calls[R] & string]: Calls[R][K] extends { readonly kind: 'call' } ? `${R}.${K}` : never
}[keyof Calls[R] & string]
export type CallChannel = { [R in keyof Calls]: ChannelOf<R> }[keyof Calls]

type EntryOf<C extends CallChannel> = C extends `${infer R extends keyof Calls}.${infer K}`
  ? K extends keyof Calls[R]
    ? Calls[R][K]
    : never
  : never
type Given<C extends CallChannel> = EntryOf<C> extends Call<infer A, unknown> ? A : never
/** What the function behind a channel is given; nothing is `undefined`. */
export type ArgumentOf<C extends CallChannel> = [Given<C>] extends [void] ? undefined : Given<C>

const text = (atMost: number) => z.string().max(atMost)
const free = text(500)
// Many an id becomes a part of an address, which takes no half of a character.
const id = z
  .string()
  .min(1)
  .max(512)
  .refine((given) => given.isWellFormed(), 'This holds half a character.')
const version = z.string().min(1).max(100)
const int32 = z.int().min(0).max(largestProductId)
const start = z.int().min(0)
const count = z.int().min(0).max(500)
const nothing = z.union([z.undefined(), z.null()]).transform(() => undefined)

const slot = z.enum(['primary', 'secondary'])
const byId = z.strictObject({ id })
const byKey = z.strictObject({ id, slot })
const product = z.strictObject({ vendorId: int32, productId: int32 })
const refresh = z.strictObject({ refresh: z.boolean() })

/** As typed into the Explorer; a body of settings may be long. */
const parameters = z
  .record(id, text(100_000))
  .refine((given) => Object.keys(given).length <= 50, 'There are more than 50 members here.')

const template = text(600).nullable()
const assumed = z.array(z.string().min(1).max(assumedAtMost.characters)).max(assumedAtMost.words).readonly()
const stages = z.array(z.enum(prereleaseStages)).max(prereleaseStages.length).readonly()
const draft = z.strictObject({
  name: free,
  preset: z.enum(['demonstration', 'jabra-plus', 'custom']),
  managementUrl: text(2_000),
  metadataUrl: text(2_000),
  managementVersion: z.int().min(0).max(1_000_000),
  metadataVersion: z.int().min(0).max(1_000_000),
  family: free,
  vendorId: int32,
  definitionCeiling: text(100).nullable(),
  templates: z.strictObject({
    deviceSettings: template,
    updateDeviceSettings: template,
    devicesWithSettings: template,
    firmwareRead: template,
    firmwareUpdate: template,
  }),
  rebootBy: z.enum(['group-id', 'room-id']),
  assumed: z.strictObject({ buildTypes: assumed, platforms: assumed, agentTypes: assumed }),
  includeStages: stages,
})

const releases = product.extend({ includeStages: stages.exactOptional() })

const where = text(2_000)
const sortBy = <const C extends readonly [string, ...string[]]>(columns: C) =>
  z
    .array(z.strictObject({ column: z.enum(columns), descending: z.boolean() }))
    .max(4)
    .readonly()
const deviceSort = sortBy(deviceSortColumns)
const roomSort = sortBy(roomSortColumns)
const ids = z.array(id).max(namedAtMost).readonly()
const selection = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('matching'), where, except: ids }),
  z.strictObject({ kind: z.literal('picked'), ids }),
])
const tagName = text(500)
const tagNames = z.array(tagName).max(50).readonly()
const column = text(40)
const anySort = z
  .array(z.strictObject({ column, descending: z.boolean() }))
  .max(4)
  .readonly()
const columns = z.array(column).max(60).readonly().nullable()
const changeQuery = { where, since: z.union([start, z.literal('looked'), z.null()]) }
const jobItems = { id, show: z.enum([...jobOutcomes, 'open']).nullable() }
const journalFilter = { where, subjectId: id.nullable() }
const suggestion = z.strictObject({ key: text(40), typed: text(200) })
const layout = z.strictObject({
  columns: z
    .array(z.strictObject({ column, width: z.int().min(20).max(4_000).nullable(), pinned: z.boolean() }))
    .max(60)
    .readonly(),
  sort: anySort,
})

const preferences = z.strictObject({
  theme: z.enum(['light', 'dark', 'system']).exactOptional(),
  contrast: z.enum(['regular', 'high']).exactOptional(),
  density: z.enum(['regular', 'compact']).exactOptional(),
  language: z.enum(languages).exactOptional(),
  timeZone: text(100).nullable().exactOptional(),
  syncEveryInMinutes: z.int().min(1).max(1_440).exactOptional(),
  staleAfterInHours: z.int().min(1).max(8_760).exactOptional(),
  exportFormat: z.enum(exportFormats).exactOptional(),
  exportDelimiter: z.enum(exportDelimiters).exactOptional(),
  layouts: z
    .strictObject({
      devices: layout.exactOptional(),
      rooms: layout.exactOptional(),
      changes: layout.exactOptional(),
      journal: layout.exactOptional(),
    })
    .exactOptional(),
  lastPage: text(500).nullable().exactOptional(),
} satisfies { readonly [K in keyof Preferences]: unknown })

const jobTerms = {
  startAt: start.nullable(),
  window: z.strictObject({ from: z.int().min(0).max(1_439), to: z.int().min(0).max(1_439) }).nullable(),
  keepTrying: z.boolean(),
  canary: z.boolean(),
}
const settingChanges = z
  .array(
    z.strictObject({
      name: z.string().min(1).max(200),
      value: z.union([text(10_000), z.number(), z.boolean()]),
      locked: z.boolean().exactOptional(),
    }),
  )
  .min(1)
  .max(100)
  .readonly()
const goldenDevices = { id, state: z.enum(driftStates).nullable(), setting: text(200).nullable() }
const jobDraft = z.strictObject({
  work: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('reboot-rooms'), of: z.enum(['rooms', 'devices']), selection }),
    z.strictObject({
      kind: z.literal('change-settings'),
      selection,
      changes: settingChanges,
    }),
  ]),
  ...jobTerms,
})

const guards = {
  'app.about': nothing,
  'app.standing': nothing,
  'app.preferences': nothing,
  'app.setPreferences': preferences,
  // Which of these are opened is for the desktop to say: of http, only the running demonstration's.
  'app.openOutside': z.strictObject({
    url: text(2_000).regex(/^(?:https:\/\/|http:\/\/(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])[:/])\S+$/i),
  }),
  'app.copy': z.strictObject({ text: text(100_000) }),
  'organizations.list': nothing,
  'organizations.add': draft,
  'organizations.update': z.strictObject({ id, draft }),
  'organizations.use': byId,
  'organizations.remove': byId,
  'organizations.setKey': z.strictObject({ id, slot, key: text(2_000) }),
  'organizations.checkKey': byKey,
  'organizations.bindKey': z.strictObject({ id, slot, origin: text(2_000) }),
  'organizations.forgetKey': byKey,
  'organizations.useKey': byKey,
  'organizations.keyRegenerated': byKey,
  'sync.run': nothing,
  'sync.cancel': nothing,
  'sync.unreadable': nothing,
  'devices.window': z.strictObject({ where, sort: deviceSort, start, count }),
  'devices.facets': z.strictObject({ where }),
  'devices.position': z.strictObject({ where, sort: deviceSort, id }),
  'devices.suggest': suggestion,
  'devices.selected': z.strictObject({ selection }),
  'devices.get': byId,
  'devices.history': byId,
  'devices.settings': z.strictObject({ id, refresh: z.boolean() }),
  'devices.settingsOver': z.strictObject({ selection }),
  'goldenProfiles.list': nothing,
  'goldenProfiles.get': byId,
  'goldenProfiles.devices': z.strictObject({ ...goldenDevices, start, count }),
  'goldenProfiles.deviceIds': z.strictObject(goldenDevices),
  'goldenProfiles.save': z.strictObject({
    id: id.nullable(),
    name: free,
    productId: int32,
    variantType: version.nullable(),
    settings: settingChanges,
  }),
  'goldenProfiles.remove': byId,
  'goldenProfiles.notAllowed': z.strictObject({ start, count }),
  'rooms.list': z.strictObject({ where, sort: roomSort, start, count }),
  'rooms.get': byId,
  'rooms.history': byId,
  'rooms.position': z.strictObject({ where, sort: roomSort, id }),
  'rooms.suggest': suggestion,
  'rooms.refresh': byId,
  'rooms.rebootPlan': byId,
  'rooms.reboot': z.strictObject({ id, unlock: z.boolean(), wait: z.boolean() }),
  'changes.groups': z.strictObject(changeQuery),
  'changes.window': z.strictObject({ ...changeQuery, group: text(1_000).nullable(), start, count }),
  'changes.look': z.strictObject({ at: start.nullable() }),
  'overview.get': nothing,
  'tags.list': nothing,
  'tags.change': z.strictObject({ selection, add: tagNames, remove: tagNames }),
  'tags.rename': z.strictObject({ from: tagName, to: tagName }),
  'tags.remove': z.strictObject({ name: tagName }),
  'tags.undo': z.strictObject({ undo: id }),
  'lists.list': nothing,
  'lists.paste': z.strictObject({ text: text(2_000_000), keep: z.boolean(), name: tagName.nullable() }),
  'lists.remove': z.strictObject({ name: tagName }),
  'views.list': z.strictObject({ list: z.enum(listNames) }),
  'views.save': z.strictObject({ list: z.enum(listNames), name: free, where, sort: anySort, columns }),
  'views.rename': z.strictObject({ id: start, name: free }),
  'views.remove': z.strictObject({ id: start }),
  'exports.start': z.strictObject({
    subject: z.discriminatedUnion('of', [
      z.strictObject({ of: z.literal('devices'), selection, sort: deviceSort }),
      z.strictObject({ of: z.literal('rooms'), where, sort: roomSort, selection: selection.exactOptional() }),
      z.strictObject({ of: z.literal('changes'), ...changeQuery }),
      z.strictObject({ of: z.literal('journal'), ...journalFilter }),
      z.strictObject({ of: z.literal('job'), ...jobItems }),
    ]),
    format: z.enum(exportFormats),
    columns,
    delimiter: z.enum(exportDelimiters),
    timeZone: text(100),
    viewName: free.nullable(),
  }),
  'exports.list': nothing,
  'exports.cancel': byId,
  'exports.show': byId,
  'connections.list': nothing,
  'firmware.products': z.strictObject({ text: free, owned: z.boolean(), start, count }),
  'firmware.releases': releases,
  'firmware.buildTypes': nothing,
  'firmware.link': releases.extend({ version, buildType: version.nullable(), refresh: z.boolean() }),
  'firmware.standing': z.strictObject({ deviceId: id }),
  'releaseNotes.get': product,
  'definitions.inUse': refresh,
  'definitions.defaults': product.extend({ variantType: version.nullable() }),
  'definitions.read': product.extend({ variantType: version, firmwareVersion: version }),
  'writes.lock': nothing,
  'writes.lockNow': nothing,
  'jobs.plan': jobDraft,
  'jobs.planned': z.strictObject({ plan: id, start, count }),
  'jobs.start': z.strictObject({
    plan: id,
    unlock: z.boolean(),
    typed: z.int().min(0).max(1_000_000).nullable(),
    terms: z.strictObject(jobTerms).exactOptional(),
  }),
  'jobs.list': z.strictObject({ start, count }),
  'jobs.get': byId,
  'jobs.items': z.strictObject({ ...jobItems, start, count }),
  'jobs.pause': byId,
  'jobs.resume': z.strictObject({ id, unlock: z.boolean() }),
  'jobs.cancel': byId,
  'jobs.retry': byId,
  'jobs.check': z.strictObject({ item: start }),
  'webhooks.read': z.strictObject({ text: text(1_000_000) }),
  'webhooks.validate': z.strictObject({ text: text(1_000_000) }),
  'webhooks.check': z.strictObject({ schema: text(1_000_000), payload: text(1_000_000) }),
  'webhooks.steps': z.strictObject({
    done: z.array(z.enum(webhookSteps)).max(webhookSteps.length).readonly().nullable(),
  }),
  'budget.tryNow': nothing,
  'journal.list': z.strictObject({ ...journalFilter, before: start.exactOptional(), start, count }),
  'explorer.operations': nothing,
  'explorer.run': z.strictObject({ operation: id, parameters, unlock: z.boolean() }),
  'explorer.examples': nothing,
  'explorer.saveExample': z.strictObject({ name: text(80).min(1), operation: id, parameters }),
  'explorer.removeExample': z.strictObject({ id: start }),
  'explorer.history': nothing,
  'metadata.telemetry': refresh,
  'metadata.recovery': z.strictObject({ text: text(200) }),
  'metadata.versions': refresh,
  'metadata.cacheSize': nothing,
  'metadata.clearCache': nothing,
} satisfies { readonly [C in CallChannel]: z.ZodType<ArgumentOf<C>> }

/** Channels whose guard refuses something the contract allows; a name here does not compile. */
type TooNarrow = {
  [C in CallChannel]: ArgumentOf<C> extends z.output<(typeof guards)[C]> ? never : C
}[CallChannel]
const noneTooNarrow: [TooNarrow] extends [never] ? true : TooNarrow = true
void noneTooNarrow

type Guarded<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }

const isCall = (channel: string): channel is CallChannel => Object.hasOwn(guards, channel)

/**
 * Reads a stranger's argument for a channel. Never throws; a refusal is a Failure `invalid` that names the member and what
 * is wrong with it, and never repeats what was sent (it may be a key).
 */
export function guard<C extends CallChannel>(channel: C, argument: unknown): Guarded<ArgumentOf<C>>
export function guard(channel: string, argument: unknown): Guarded<unknown>
export function guard(channel: string, argument: unknown): Guarded<unknown> {
  if (!isCall(channel)) return refuse('channel', 'There is no such call.')
  try {
    const read = guards[channel].safeParse(argument)
    if (read.success) return { ok: true, value: read.data }
    const issue = read.error.issues[0]
    return issue === undefined
      ? refuse('argument', 'This cannot be read.')
      : refuse(placeOf(issue), sentenceOf(issue))
  } catch {
    // A member that throws when it is read (a getter, a revoked proxy) is one more thing that cannot be used.
    return refuse('argument', 'This cannot be read.')
  }
}

const refuse = (field: string, message: string): Guarded<never> => ({
  ok: false,
  failure: { kind: 'invalid', field, message },
})

const placeOf = (issue: z.core.$ZodIssue): string =>
  issue.path.length === 0 ? 'argument' : issue.path.map(String).join('.')

function sentenceOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `This must be ${issue.expected === 'int' ? 'a whole number' : `of the kind "${issue.expected}"`}.`
    case 'too_big':
      if (issue.origin === 'string') return `This is longer than ${issue.maximum} characters.`
      return issue.origin === 'array'
        ? `This is longer than ${issue.maximum} entries.`
        : `This is greater than ${issue.maximum}.`
    case 'too_small':
      return issue.origin === 'string' ? 'This is empty.' : `This is smaller than ${issue.minimum}.`
    case 'unrecognized_keys':
      return 'There is a member here that this call does not know.'
    case 'invalid_format':
      return 'This must be an https address.'
    case 'invalid_value':
      return `This must be one of: ${issue.values.map(String).join(', ')}.`
    case 'invalid_union':
      return 'Nothing is expected here.' // the one union there is: calls without an argument
    case 'custom':
      return issue.message
    default:
      return 'This cannot be used here.'
  }
}
