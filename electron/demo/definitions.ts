import { createRequire } from 'node:module'
import type { Product } from './catalogue.ts'
import type { Kind } from './product-lines.ts'
import { mix, numberOf } from './random.ts'

interface ValueType {
  readonly type: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
}

export interface PropertyDefinition {
  readonly valueType?: ValueType
  readonly read?: readonly unknown[]
  readonly write?: readonly unknown[]
  readonly event?: unknown
  readonly execute?: readonly unknown[]
  readonly needsConfigMode?: boolean
  readonly autogenName?: string
}

export type Definitions = Readonly<Record<string, PropertyDefinition>>

let loaded: Definitions | null = null

/** All 427 property definitions of the published package; 600 kB, read at first use. */
export const allDefinitions = (): Definitions => {
  loaded ??= createRequire(import.meta.url)(
    '@gnaudio/jabra-properties-definition/properties.json',
  ) as Definitions
  return loaded
}

export interface Schema {
  readonly version: string
  /** The definition version that latest/info gives for it. */
  readonly latest: string
  /**
   * Per cent of the properties that it contains: an older schema version lacks newer properties
   * (services.md#A36).
   */
  readonly knows: number
}

/**
 * Unordered on purpose: the greatest must be found by number. 1.10.0 and 1.11.0 exist (services.md#A46), the
 * others are made up. The newest gives 14.6.0, one above the published package (14.5.0), so that a client
 * built with the package stays at its definition limit.
 */
export const schemas: readonly Schema[] = [
  { version: '1.11.0', latest: '14.5.0', knows: 100 },
  { version: '1.2.0', latest: '9.3.0', knows: 55 },
  { version: '1.12.0', latest: '14.6.0', knows: 100 },
  { version: '1.10.0', latest: '13.4.0', knows: 92 },
]

/** Definition versions with published device models. */
const definitionVersions: readonly string[] = ['9.3.0', '12.1.2', '13.4.0', '14.4.0', '14.5.0', '14.6.0']

/**
 * The schema of a published definition version: the one with the earliest latest version that is not before
 * it. Made up for versions that are no schema's latest.
 */
export const schemaOfDefinition = (definitionVersion: string): Schema | null => {
  const place = definitionVersions.indexOf(definitionVersion)
  if (place < 0) return null
  return (
    schemas
      .map((schema) => ({ schema, at: definitionVersions.indexOf(schema.latest) }))
      .filter(({ at }) => at >= place)
      .sort((one, other) => one.at - other.at)[0]?.schema ?? null
  )
}

export const stageOf = (definitionVersion: string): 'Public' | 'Beta' =>
  definitionVersion === '14.6.0' ? 'Beta' : 'Public'

/** Every variant has these, in every schema version. */
const common = [
  'name',
  'firmwareVersion',
  'serialNumber',
  'skuId',
  'variantCode',
  'pid',
  'factoryDefault',
  'reboot',
  'dfuProductId',
  'primaryFirmwareUpdateProtocolId',
]

const headset = [
  'sidetoneLevelEnum',
  'sidetoneEnabled',
  'soundMode',
  'intellitoneLevel',
  'audioAnnouncements',
  'buttonSoundsEnabled',
  'callAcceptedSound',
  'voicePrompts',
  'boomArmRotateAcceptCall',
  'boomArmRotateInCallAction',
  'autoRejectBgWaitingEnabled',
  'muteReminderInterval',
  'idlePowerSave',
  'busyStatePresence',
  'inCallBusyLightEnabled',
  'onHeadDetectionEnabled',
  'autoPauseMusicOnHeadEnabled',
  'autoMuteCallAudio',
  'currentLanguageCode',
  'bluetoothName',
  'noiseSuppression',
  'voiceAssistantLock',
]
const headsetTells = [
  'batteryLevel',
  'isCharging',
  'isBatteryLow',
  'microphoneMuteState',
  'backgroundNoiseLevel',
  'audioExposure',
  'bluetoothLinkQuality',
  'boomArmPosition',
  'onHeadDetectionStatus',
]
const noiseCancelling = [
  'ancMode',
  'ancLevel',
  'ancHearThroughLevel',
  'ancSoundModeLoop',
  'windNoiseReductionEnabled',
  'hearThroughConfiguration',
  'equalizerConfig',
]
const camera = [
  'zoomMode2',
  'intelligentZoomLatency',
  'plazaMode',
  'fieldOfView2',
  'notificationsActive',
  'triggerForRoomVideoDefaults',
  'videoStitchMode2',
  'notificationStyle',
  'roomCapacity',
  'roomCapacityNotificationEnabled',
  'peopleCountEnabled',
  'peopleCountLedEnabled',
  'cameraVideoFlicker',
  'videoTransitionStyle',
  'contrastEnhancementEnabled',
  'allow4KEnabled',
  'backgroundEffects',
  'secondVideoStream2',
  'whiteboardZoomEnabled',
  'jabraPlusRemoteManagementEnabled',
]
const cameraTells = [
  'peopleCount',
  'roomCapacityExceeded',
  'cameraStatus',
  'networkStatus',
  'cameraPanLimits',
  'cameraZoomLimits',
  'cameraPan',
  'cameraTilt',
  'cameraZoom',
]
const android = [
  'standbyModeEnabled',
  'standbySyncMode',
  'timezone',
  'timeFormat',
  'networkEthernetEnabled',
  'wifiEnabled',
  'displayPortAltModeEnabled',
  'vaasProvider',
  'vaasProviderVersion',
  'ethernetMacAddress',
  'wlanSsid',
]

/**
 * The properties of each kind of product; the counts for an Evolve2 65 (22 settings) and a Link 380a (3) are
 * observed, the selection is made up.
 */
const propertiesByKind: Readonly<Record<Kind, readonly string[]>> = {
  headset: [...headset, ...headsetTells],
  earbuds: [
    ...headset.slice(2, 8),
    'currentLanguageCode',
    'bluetoothName',
    'rightButtonMediaTap',
    'leftButtonMediaTap',
    'autoHearThroughForSingleEarbud',
    ...noiseCancelling,
    ...headsetTells.slice(0, 6),
  ],
  adapter: [
    'softphoneIntegrationEnabled',
    'autoPairingEnabled',
    'bluetoothLowEnergy',
    'bluetoothLinkQuality',
  ],
  base: [
    'baseName',
    'dectEnvMode',
    'radioPower',
    'audioTypeSoftphone',
    'ringerVolume',
    'ringtone',
    'defaultOutgoingTarget',
    'eHookProtocol',
    'autoAnswerCallOnHeadEnabled',
    'muteReminderInterval',
    'intellitoneLevel',
    'currentLanguageCode',
    '24HourFormat',
    'sharedDeviceMode',
    'emergencyNumber',
    'dectDensity',
    'dectErrors',
    ...headsetTells.slice(0, 6),
  ],
  stand: ['busyStatePresence', 'powerSavingEnabled'],
  speaker: [
    'bluetoothName',
    'audioAnnouncements',
    'voicePrompts',
    'idlePowerSave',
    'currentLanguageCode',
    'microphoneGainAdjustment',
    'soundMode',
    'ringerVolume',
    'voiceIndicator',
    'gatt.batteryLevel',
    ...headsetTells.slice(0, 4),
  ],
  video: [...camera, ...cameraTells],
  bar: [...camera.filter((name) => !/4K|secondVideo|whiteboard/.test(name)), ...android, ...cameraTells],
  controller: [
    'displayBacklightLevel',
    'displayBacklightDimmerDelay',
    'timeFormat',
    'automaticUserInterfaceSwapEnabled',
    ...android.slice(0, 6),
    'networkStatus',
  ],
  scheduler: [
    'displayBacklightLevel',
    'timezone',
    'timeFormat',
    'networkEthernetEnabled',
    'networkStatus',
    'vaasProvider',
  ],
  accessory: ['displayPortAltModeEnabled'],
  partner: [],
}

const knownTo = (schema: Schema, name: string): boolean =>
  common.includes(name) || mix(numberOf(name), 601) % 100 < schema.knows

const select = (names: Iterable<string>, schema: Schema): Definitions => {
  const all = allDefinitions()
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const definition = all[name]
      return definition === undefined || !knownTo(schema, name) ? [] : [[name, definition] as const]
    }),
  )
}

export const schemaOf = (version: string): Schema | null =>
  schemas.find((schema) => schema.version === version) ?? null

export const definitionsBySchema = (schema: Schema): Definitions =>
  select(Object.keys(allDefinitions()), schema)

/**
 * Without the operations: only the content that a viewer needs. How the real trimmed document differs is not
 * published; this is assumed.
 */
export const trimmed = (definitions: Definitions): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(definitions).map(([name, { valueType, needsConfigMode, ...rest }]) => [
      name,
      {
        ...(valueType === undefined ? {} : { valueType }),
        ...(needsConfigMode === undefined ? {} : { needsConfigMode }),
        ...Object.fromEntries(
          (['read', 'write', 'event', 'execute'] as const)
            .filter((way) => rest[way] !== undefined)
            .map((way) => [way, true]),
        ),
      },
    ]),
  )

/** Property names of a product, in the order its documents list them. */
export const propertyNames = (product: Product): readonly string[] => {
  const cancels =
    /Evolve2 (85|65 Flex|55)|Evolve3 (85|65 Flex)|Evolve 75e/.test(product.name) && product.kind === 'headset'
  return [...(propertiesByKind[product.kind] ?? []), ...(cancels ? noiseCancelling : []), ...common]
}

export const definitionsOf = (product: Product, schema: Schema): Definitions =>
  select(propertyNames(product), schema)
