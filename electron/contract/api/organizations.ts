import { z } from 'zod'
import { byId, free, id, int32, nothing, stages, text } from '../argument-parts.ts'
import { local, event, method } from '../method.ts'
import { assumedAtMost } from '../organization.ts'
import type { KeySlot, KeychainProblem } from '../failure.ts'
import type { PrereleaseStage } from '../firmware.ts'
import type { EndpointTemplates } from '../template.ts'

export type PresetName = 'demonstration' | 'jabra-plus' | 'custom'
type RebootBy = 'group-id' | 'room-id'

/**
 * Values of parameters whose enumerations are not published: suggestions for the technician, never a limit.
 */
export interface AssumedValues {
  readonly buildTypes: readonly string[]
  readonly platforms: readonly string[]
  readonly agentTypes: readonly string[]
}
export type AssumedList = keyof AssumedValues

/** The details of an organization that a technician can set; addresses without a trailing slash. */
export interface OrganizationDraft {
  readonly name: string
  readonly preset: PresetName
  /** `{api_url}`: https, or http on loopback only. Ignored for the demonstration preset. */
  readonly managementUrl: string
  /** `{base_url}`: https, or http on loopback only. Ignored for the demonstration preset. */
  readonly metadataUrl: string
  /** `api-version` header of the management interface. Default 2 (services.md#B31). */
  readonly managementVersion: number
  /** `{apiVersion}` of the metadata interface. Default 18 (services.md#A36). */
  readonly metadataVersion: number
  /** The `sdk` path segment, not yet percent-encoded: `Brand SDK V4` (services.md#A35). */
  readonly family: string
  /** Vendor id of the organization's devices, because the device record has none (services.md#A40). */
  readonly vendorId: number
  /** The profile's own definition limit; null: the version of the installed definitions package. */
  readonly definitionLimit: string | null
  /** Prerelease stages whose releases may be the latest. Default: none. */
  readonly includeStages: readonly PrereleaseStage[]
  /** Endpoints the specification does not publish; observed ones pre-filled (template.ts). */
  readonly templates: EndpointTemplates
  /**
   * Which id the reboot address expects: the group id of any of the room's devices, or the room's own
   * (services.md#B35).
   */
  readonly rebootBy: RebootBy
  /** At least one build type; platforms and agent types may be empty. No value contains a comma. */
  readonly assumed: AssumedValues
}

/** The facts about a subscription key that the renderer may have: never the key itself. */
export interface KeyState {
  readonly slot: KeySlot
  readonly set: boolean
  /** The last four characters, to distinguish keys. */
  readonly lastFour: string | null
  /** `keychain`, or `memory` (this run only, because the keychain is unavailable), or `environment`. */
  readonly keptIn: 'keychain' | 'memory' | 'environment' | 'demonstration' | null
  readonly addedAt: number | null
  readonly lastUsedAt: number | null
  readonly lastRefusedAt: number | null
  /**
   * It is not sent to the organization's address: it is bound to this other origin. null: it is sent there, or
   * this run has not read it yet.
   */
  readonly notBound: { readonly boundTo: string } | null
}

export interface Organization extends OrganizationDraft {
  readonly id: string
  readonly current: boolean
  /**
   * Scheme, host and port of the management address: a stored key is bound to it. null: the demonstration,
   * whose key is never stored, or an invalid address.
   */
  readonly managementOrigin: string | null
  readonly createdAt: number
  /** An administrator's policy names it: it cannot be changed or removed. */
  readonly setByPolicy: boolean
  readonly keys: readonly KeyState[]
  /** The slot whose key is sent now. */
  readonly keyInUse: KeySlot
  /**
   * A key that was replaced by the other one and may still be valid at the service: it should be regenerated
   * in the portal.
   */
  readonly regenerate: {
    readonly slot: KeySlot
    readonly since: number
    readonly because: 'swapped' | 'refused'
  } | null
  /** Set while all work of this organization is stopped after a refused key. */
  readonly stoppedBecause: 'key-refused' | null
}

export interface Preset {
  readonly name: PresetName
  /** Where people get a key (services.md#B37); empty: not known. */
  readonly portalUrl: string
  readonly draft: OrganizationDraft
}

export interface OrganizationList {
  readonly organizations: readonly Organization[]
  readonly presets: readonly Preset[]
  readonly keychain: {
    readonly available: boolean
    readonly reason: KeychainProblem | null
    readonly message: string | null
  }
  /**
   * The organization that HEADROOM_KEY belongs to in this run: it is sent for no other. null: there is no
   * such key, or it has no organization yet.
   */
  readonly environmentKeyOf: string | null
}

/** The result of one device-list call with page size 1. */
export interface KeyCheck {
  readonly slot: KeySlot
  readonly accepted: boolean
  readonly checkedAt: number
}

const byKey = z.strictObject({ id, slot: z.enum(['primary', 'secondary']) })
const template = text(600).nullable()
const assumed = z.array(z.string().min(1).max(assumedAtMost.characters)).max(assumedAtMost.words).readonly()
const draft = z.strictObject({
  name: free,
  preset: z.enum(['demonstration', 'jabra-plus', 'custom']),
  managementUrl: text(2_000),
  metadataUrl: text(2_000),
  managementVersion: z.int().min(0).max(1_000_000),
  metadataVersion: z.int().min(0).max(1_000_000),
  family: free,
  vendorId: int32,
  definitionLimit: text(100).nullable(),
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

export const organizations = {
  list: method(nothing).returns<OrganizationList>(),
  /** The client's: the named one of a command, else the current one. */
  current: method(nothing).returns<Organization>(),
  add: local(draft).returns<Organization>(),
  update: local(z.strictObject({ id, draft })).returns<Organization>(),
  use: local(byId).returns<Organization>(),
  /** Its data is deleted afterwards: a task. `wait`: returns when it has ended. */
  remove: local(byId.extend({ wait: z.boolean().exactOptional() })).returns<void>(),
  /** The only method that carries a key. */
  setKey: local(byKey.extend({ key: text(2_000) })).returns<KeyState>(),
  /** The text with every stored key in it replaced. */
  withoutKeys: method(z.strictObject({ text: text(100_000) })).returns<string>(),
  checkKey: method(byKey).returns<KeyCheck>(),
  forgetKey: local(byKey).returns<KeyState>(),
  /** Uses the other key from now on; work stopped by a 401 resumes. */
  useKey: local(byKey).returns<Organization>(),
  /** The technician confirms that the replaced key was regenerated in the portal: the reminder ends. */
  keyRegenerated: local(byKey).returns<Organization>(),
  changed: event<{ readonly ids: readonly string[] }>(),
}
