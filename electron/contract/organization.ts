import type { KeySlot, KeychainTrouble } from './failure.ts'
import type { PrereleaseStage } from './firmware.ts'
import type { EndpointTemplates } from './template.ts'

export type PresetName = 'demonstration' | 'jabra-plus' | 'custom'
export type RebootBy = 'group-id' | 'room-id'

/** Words of parameters whose enumerations are not published: where a technician begins to choose, never a limit. */
export interface AssumedWords {
  readonly buildTypes: readonly string[]
  readonly platforms: readonly string[]
  readonly agentTypes: readonly string[]
}
export type AssumedList = keyof AssumedWords

/** Assumed: the specification, part 2, names the enumerations and shows no words of them. */
export const assumedWords: AssumedWords = {
  buildTypes: ['Release', 'Test', 'Debug'],
  platforms: ['Windows', 'macOS', 'Linux', 'Android', 'iOS'],
  agentTypes: ['DesktopAgent', 'RoomAgent'],
}
export const assumedLists = Object.keys(assumedWords) as readonly AssumedList[]
/** Chosen: more or longer words are a list that was pasted, not one to choose from. */
export const assumedAtMost = { words: 30, characters: 60 } as const

/** What a technician can say of an organization; addresses without a trailing slash. */
export interface OrganizationDraft {
  readonly name: string
  readonly preset: PresetName
  /** `{api_url}`: https, or http on loopback only. Ignored for the demonstration preset. */
  readonly managementUrl: string
  /** `{base_url}`: https, or http on loopback only. Ignored for the demonstration preset. */
  readonly metadataUrl: string
  /** `api-version` header of the management interface. Default 2 (specification). */
  readonly managementVersion: number
  /** `{apiVersion}` of the metadata interface. Default 18 (specification). */
  readonly metadataVersion: number
  /** The `sdk` path segment, not yet percent-encoded: `Brand SDK V4` (specification). */
  readonly family: string
  /** Vendor id of the organization's devices, for the device record has none (observed: 2830). */
  readonly vendorId: number
  /** The profile's own ceiling for definition versions; null: the installed definitions package's. */
  readonly definitionCeiling: string | null
  /** Stages whose releases may be the latest besides public ones. Default: none. */
  readonly includeStages: readonly PrereleaseStage[]
  /** Endpoints the specification does not publish; observed ones pre-filled (template.ts). */
  readonly templates: EndpointTemplates
  /** Which id the reboot address takes. Specification: the group id of any of the room's devices; another client was seen sending the room's own. */
  readonly rebootBy: RebootBy
  /** At least one build type; platforms and agent types may be empty. No word holds a comma. */
  readonly assumed: AssumedWords
}

/** What the view may know of a subscription key: never the key. */
export interface KeyState {
  readonly slot: KeySlot
  readonly set: boolean
  /** The last four characters, for telling keys apart. */
  readonly lastFour: string | null
  /** `keychain`, or `memory` (this run only, because the keychain is unavailable), or `environment`. */
  readonly keptIn: 'keychain' | 'memory' | 'environment' | 'demonstration' | null
  readonly addedAt: number | null
  readonly lastUsedAt: number | null
  readonly lastRefusedAt: number | null
  /**
   * It is not sent to the organization's address: it is bound to this other origin (null: to none, for it was stored before keys were bound).
   * null as a whole: it is sent there, or this run has not read it yet.
   */
  readonly notBound: { readonly boundTo: string | null } | null
}

export interface Organization extends OrganizationDraft {
  readonly id: string
  readonly current: boolean
  /**
   * Scheme, host and port of the management address: what a stored key is bound to. null: the demonstration, whose key is never stored, or an
   * address that is none.
   */
  readonly managementOrigin: string | null
  readonly createdAt: number
  readonly keys: readonly KeyState[]
  /** The slot that is sent now. */
  readonly keyInUse: KeySlot
  /** A key that was left for the other one and is still good at the service, for all we know: it should be regenerated in the portal. */
  readonly regenerate: {
    readonly slot: KeySlot
    readonly since: number
    readonly because: 'swapped' | 'refused'
  } | null
  /** Set while everything of this organization stands still after a refused key. */
  readonly stoppedBecause: 'key-refused' | null
}

export interface Preset {
  readonly name: PresetName
  readonly draft: OrganizationDraft
}

export interface OrganizationList {
  readonly organizations: readonly Organization[]
  readonly presets: readonly Preset[]
  readonly keychain: {
    readonly available: boolean
    readonly reason: KeychainTrouble | null
    readonly message: string | null
  }
  /** The organization that HEADROOM_KEY is for in this run: it is sent for no other. null: there is none, or nobody's yet. */
  readonly environmentKeyOf: string | null
}

/** The result of one device-list call with page size 1. */
export interface KeyCheck {
  readonly slot: KeySlot
  readonly accepted: boolean
  readonly checkedAt: number
}
