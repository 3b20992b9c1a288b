import type { Product, Variant } from './catalogue.ts'
import type { Definitions } from './definitions.ts'
import { numberOf, roll } from './random.ts'
import { settingsIn } from './firmware-settings.ts'
import type { SettingSpec } from './settings.ts'
import { settingsOf } from './settings.ts'

type Members = Readonly<Record<string, unknown>>

/** If missing it must be read as "unknown", not as false (services.md#A12): some products omit it. */
const restartMember = (product: Product, spec: SettingSpec): Members =>
  !spec.restarts && roll(numberOf(product.name), numberOf(spec.name), 801) < 0.06
    ? {}
    : { requiresRestart: spec.restarts }

/**
 * Allowed values by setting, and the setting of each name of the management interface (services.md#A16). The
 * on/off list's name is inferred.
 */
export const featureModel = (product: Product, version: string): Members => {
  const specs = settingsIn(product, version)
  const of = (kind: SettingSpec['kind']): readonly SettingSpec[] => specs.filter((spec) => spec.kind === kind)
  return {
    settings: {
      listSettings: [
        ...of('choice').map((spec) => ({
          settingId: spec.settingId,
          supportedValues: spec.values,
          requiresRestart: spec.restarts,
        })),
        // An item without an id is skipped by clients (services.md#A16).
        ...(product.kind === 'video' ? [{ settingId: '', supportedValues: [], requiresRestart: false }] : []),
      ],
      stringSettings: of('text').map((spec) => ({
        settingId: spec.settingId,
        ...(spec.minLength === null ? {} : { minimumLength: spec.minLength }),
        ...(spec.maxLength === null ? {} : { maximumLength: spec.maxLength }),
        ...restartMember(product, spec),
      })),
      numberSettings: of('number').map((spec) => ({
        settingId: spec.settingId,
        ...(spec.minimum === null ? {} : { minimumValue: spec.minimum }),
        ...(spec.maximum === null ? {} : { maximumValue: spec.maximum }),
        ...restartMember(product, spec),
      })),
      booleanSettings: of('boolean').map((spec) => ({
        settingId: spec.settingId,
        ...restartMember(product, spec),
      })),
    },
    // Not every id has a name (services.md#A16).
    settingIds: Object.fromEntries(
      specs
        .filter((spec) => spec.name !== 'peopleCountLedEnabled')
        .map((spec) => [spec.name, spec.settingId]),
    ),
  }
}

const typeNames: Readonly<Record<SettingSpec['kind'], string>> = {
  choice: 'Enum',
  boolean: 'Boolean',
  number: 'Integer',
  text: 'String',
}

const modelSetting = (product: Product, spec: SettingSpec): Members => ({
  settingId: spec.settingId,
  type: typeNames[spec.kind],
  // Both spellings exist (services.md#A14).
  ...(roll(numberOf(spec.name), 802) < 0.9
    ? { sdkProperties: [spec.property] }
    : { sdkProperty: spec.property }),
  ...(spec.kind === 'choice' ? { possibleValues: spec.values.map((value) => ({ key: value, value })) } : {}),
  ...(spec.minimum === null ? {} : { minimum: spec.minimum }),
  ...(spec.maximum === null ? {} : { maximum: spec.maximum }),
  ...(spec.minLength === null ? {} : { minLength: spec.minLength }),
  settingAccess: 'ReadWrite',
  ...restartMember(product, spec),
  helpText: sentence(spec.property),
})

const sentence = (name: string): string => {
  const words = name
    .replace(/Enabled$|\d$/g, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

const groupOf = (spec: SettingSpec): string =>
  /zoom|fieldOfView|video|camera|image|contrast|4K|background|whiteboard|plaza|second/i.test(spec.property)
    ? 'Video'
    : /network|remote|wifi|time|standby/i.test(spec.property)
      ? 'System'
      : 'Audio and notifications'

const upperSnake = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/\W+/g, '_')
    .toUpperCase()

/**
 * Settings, commands, attributes and events of a variant in one firmware (services.md#A11), those that
 * `definitions` has. Room products nest their settings in groups.
 */
export const deviceModel = (
  product: Product,
  variant: Variant,
  sdk: string,
  firmwareVersion: string,
  definitions: Definitions,
): Members => {
  const specs = settingsIn(product, firmwareVersion).filter(({ property }) =>
    Object.hasOwn(definitions, property),
  )
  const names = Object.keys(definitions)
  const definitionOf = (name: string): Definitions[string] | undefined => definitions[name]
  const groups = [...new Set(specs.map(groupOf))]
  const grouped = product.kind === 'video' || product.kind === 'bar'
  // The settings list can be empty for a current firmware although an older release has the data
  // (services.md#A10).
  const emptied = product.name === 'Jabra Evolve3 45 Mono' && firmwareVersion === product.versions[0]
  const events = names.filter((name) => definitionOf(name)?.event !== undefined)
  return {
    device: {
      vendorId: variant.vendorId,
      productId: variant.productId,
      variantType: variant.variantType,
      sdk,
      entityId: variant.entityId,
      settings: emptied
        ? []
        : grouped
          ? groups.map((groupName) => ({
              groupName,
              settings: specs
                .filter((spec) => groupOf(spec) === groupName)
                .map((spec) => modelSetting(product, spec)),
            }))
          : specs.map((spec) => modelSetting(product, spec)),
      commands: names
        .filter((name) => definitionOf(name)?.execute !== undefined)
        .map((name) => ({ commandId: upperSnake(name), sdkProperty: name })),
      attributes: names
        .filter((name) => definitionOf(name)?.read !== undefined && definitionOf(name)?.write === undefined)
        .map((name) => ({
          attributeId: upperSnake(name),
          type: definitionOf(name)?.valueType?.type === 'integer' ? 'Integer' : 'String',
          sdkProperty: name,
          settingAccess: 'ReadOnly',
        })),
      deviceEvents: events.map((name) => ({
        name,
        type: eventType(definitionOf(name)?.valueType?.type),
        property: name,
        deviceEventType: name,
      })),
      ...(events.length === 0
        ? {}
        : { telemetry: events.slice(0, 4).map((name) => ({ name, property: name, deviceEventType: name })) }),
    },
  }
}

const eventType = (type: string | undefined): string =>
  type === 'boolean' ? 'bool' : type === 'integer' ? 'int' : 'string'

/** TelemetrySettings (services.md#A32). Names are those of observable properties; figures are made up. */
export const telemetry = (): Members => ({
  thresholdEvents: [
    { name: 'backgroundNoiseLevel', defaultMinimum: 0, defaultMaximum: 75 },
    { name: 'audioExposure', defaultMinimum: 0, defaultMaximum: 85 },
    { name: 'peopleCount', defaultMinimum: 0, defaultMaximum: 12 },
  ],
  integerStateChangedEvents: [
    { name: 'batteryLevel', isAscending: false, defaultWarningThreshold: 25, defaultErrorThreshold: 10 },
    { name: 'dectErrors', isAscending: true, defaultWarningThreshold: 20, defaultErrorThreshold: 100 },
  ],
  booleanStateChangedEvents: [
    { name: 'microphonePositionOptimal', desiredValue: true },
    { name: 'microphoneStatusOK', desiredValue: true },
    { name: 'roomCapacityExceeded', desiredValue: false },
  ],
  callSummary: {
    aggregations: [
      {
        name: 'averageBackgroundNoise',
        deviceEventType: 'backgroundNoiseLevel',
        aggregationMethod: 'Average',
      },
      { name: 'highestAudioExposure', deviceEventType: 'audioExposure', aggregationMethod: 'Max' },
      { name: 'lowestBattery', deviceEventType: 'batteryLevel', aggregationMethod: 'Min' },
      { name: 'timesMuted', deviceEventType: 'microphoneMuteState', aggregationMethod: 'CountTrue' },
      {
        name: 'badMicrophonePosition',
        deviceEventType: 'microphonePositionOptimal',
        aggregationMethod: 'CountFalse',
      },
    ],
  },
})

/**
 * NameMapRoot is not published; inferred to be the combined name maps of the feature models. Display names of
 * a few settings are made up.
 */
export const nameMap = (products: readonly Product[]): Members => ({
  displayNames: {
    sidetoneLevelEnum: 'Sidetone',
    soundMode: 'Sound',
    muteReminderInterval: 'Mute reminder',
    videoStiching: 'Video stitching',
  },
  settingIds: Object.fromEntries(
    products.flatMap((product) => settingsOf(product).map((spec) => [spec.name, spec.settingId] as const)),
  ),
})

/**
 * Only room devices that run Android are assumed to use Jose (inferred); the items' fields are not published:
 * assumed.
 */
const speaksJose = (product: Product): boolean => ['bar', 'controller', 'scheduler'].includes(product.kind)

const joseSettings = (product: Product, version: string): readonly Members[] =>
  settingsIn(product, version).map((spec) => ({
    name: spec.property,
    type: typeNames[spec.kind],
    ...(spec.kind === 'choice' ? { values: spec.values } : {}),
    access: 'ReadWrite',
  }))

/** JoseDefinition, the outer record (services.md#A32). null: the product has no Jose definition. */
export const joseDefinition = (product: Product, version: string): Members | null =>
  speaksJose(product)
    ? {
        schemaVersion: '1',
        definitionVersion: '1.4.0',
        stage: 'Public',
        settings: joseSettings(product, version),
        commands: [{ name: 'reboot' }, { name: 'factoryDefault' }],
      }
    : null

export const joseDefinitionV2 = (product: Product, version: string): Members | null =>
  speaksJose(product)
    ? {
        schemaVersion: '2',
        definitionVersion: '2.1.0',
        stage: 'Beta',
        settings: joseSettings(product, version),
        commands: [{ name: 'reboot', parameters: [] }],
        events: [{ name: 'networkStatus' }],
      }
    : null
