import type { Product } from './catalogue.ts'
import { allDefinitions, propertyNames } from './definitions.ts'
import type { Faults } from './faults.ts'
import type { DeviceFacts } from './fleet.ts'
import { numberOf, pick, roll } from './random.ts'

/**
 * One setting of a product, as all three documents describe it: feature model, device model, and the device's
 * own settings.
 */
export interface SettingSpec {
  /** The name in the management interface. */
  readonly name: string
  readonly settingId: string
  readonly property: string
  readonly kind: 'choice' | 'boolean' | 'number' | 'text'
  readonly values: readonly string[]
  readonly minimum: number | null
  readonly maximum: number | null
  readonly minLength: number | null
  readonly maxLength: number | null
  readonly restarts: boolean
}

/**
 * Names and values of the management interface that differ from the property's (services.md#B45: PanaCast 50,
 * including the spelling `videoStiching`, services.md#B6).
 */
const observedNames: Readonly<
  Record<string, { readonly name: string; readonly values?: readonly string[] }>
> = {
  zoomMode2: { name: 'automaticZoomMode', values: ['fullScreen', 'intelligentZoom', 'activeSpeaker'] },
  intelligentZoomLatency: {
    name: 'automaticZoomSpeed',
    values: ['slowest', 'slower', 'medium', 'faster', 'fastest'],
  },
  plazaMode: { name: 'dynamicComposition' },
  fieldOfView2: { name: 'fieldOfView', values: ['_90deg', '_120deg', '_140deg', '_180deg'] },
  notificationsActive: { name: 'safetyCapacityNotification' },
  triggerForRoomVideoDefaults: { name: 'settingsRevertToDefault' },
  videoStitchMode2: { name: 'videoStiching' },
}

export const snake = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()

const specOf = (property: string): SettingSpec | null => {
  const definition = allDefinitions()[property]
  const type = definition?.valueType
  if (
    definition === undefined ||
    definition.write === undefined ||
    definition.read === undefined ||
    type === undefined
  )
    return null
  const observed = observedNames[property]
  const values = observed?.values ?? type.enum ?? []
  const kind =
    values.length > 0
      ? 'choice'
      : type.type === 'boolean'
        ? 'boolean'
        : type.type === 'integer'
          ? 'number'
          : type.type === 'string'
            ? 'text'
            : null
  if (kind === null) return null
  const name = observed?.name ?? property
  return {
    name,
    settingId: snake(name),
    property,
    kind,
    values,
    minimum: kind === 'number' ? (type.minimum ?? null) : null,
    maximum: kind === 'number' ? (type.maximum ?? null) : null,
    minLength: type.minLength ?? null,
    // The definitions have none; the feature model does (member names observed, the figure made up).
    maxLength: type.minLength === undefined ? null : 32,
    restarts: definition.needsConfigMode === true,
  }
}

const known = new Map<Product, readonly SettingSpec[]>()

/** The settings of a product that can be read and written. */
export const settingsOf = (product: Product): readonly SettingSpec[] => {
  const specs = known.get(product) ?? propertyNames(product).flatMap((property) => specOf(property) ?? [])
  known.set(product, specs)
  return specs
}

/** One setting as `GET …/settings` shows it: the member that is present gives its kind (services.md#B8). */
type SettingValue =
  | { readonly isOn: boolean | null }
  | { readonly selected: string | null }
  | { readonly value: number | string | null }

const usual = (facts: DeviceFacts, seed: number, spec: SettingSpec): SettingValue => {
  const chance = roll(seed, facts.index, facts.generation, numberOf(spec.name))
  const missing = roll(seed, facts.index, numberOf(spec.name), 602) < 0.006
  if (spec.kind === 'boolean') return { isOn: missing ? null : chance < 0.7 }
  // Most devices agree, some drift.
  if (spec.kind === 'choice')
    return {
      selected: missing
        ? null
        : chance < 0.75
          ? pick(spec.values, roll(numberOf(spec.name), 603))
          : pick(spec.values, (chance - 0.75) * 4),
    }
  if (spec.kind === 'text')
    return {
      value: missing ? null : `${facts.product.groupName.replace('Jabra ', '')} ${facts.index % 1000}`,
    }
  const low = spec.minimum ?? 0
  const high = spec.maximum ?? 30
  const number = low + Math.floor((chance < 0.8 ? 0.4 : chance) * (high - low))
  // A whole number may have a zero fraction, `3.0` (services.md#B10); JSON here writes it as 3.
  return { value: number }
}

interface SettingState {
  readonly value: SettingValue
  readonly isLocked: boolean
}
interface Change {
  /** null: the device's initial value. */
  readonly before: SettingState | null
  readonly after: SettingState
  /** When the device reports it. */
  readonly showsAt: number
}

/**
 * Some settings take effect later: an immediate read still shows old values (services.md#B24). Share
 * and delay are made up.
 */
const late = { share: 0.03, leastMs: 5_000, mostMs: 90_000 } as const

/** Changes by technicians, by device id and setting name. Lost when the demonstration ends. */
export class SettingChanges {
  readonly #seed: number
  readonly #faults: Faults
  readonly #changes = new Map<string, Map<string, Change>>()
  #writes = 0

  constructor(seed: number, faults: Faults) {
    this.#seed = seed
    this.#faults = faults
  }

  /** `specs`: the settings of the device's firmware. */
  read(facts: DeviceFacts, specs: readonly SettingSpec[], now: number): Readonly<Record<string, unknown>> {
    return Object.fromEntries(
      specs.map((spec) => {
        const state = this.#stateOf(facts.id, spec.name, now)
        return [
          spec.name,
          state === null
            ? { isLocked: false, ...usual(facts, this.#seed, spec) }
            : { isLocked: state.isLocked, ...state.value },
        ]
      }),
    )
  }

  #stateOf(deviceId: string, name: string, now: number): SettingState | null {
    const change = this.#changes.get(deviceId)?.get(name)
    return change === undefined ? null : now < change.showsAt ? change.before : change.after
  }

  /**
   * Uses the member that matches each setting's kind and ignores the others (observed: one client always
   * sends all); all or none. Returns the problems, by member. A lock that is not mentioned remains.
   */
  write(
    facts: DeviceFacts,
    specs: readonly SettingSpec[],
    wanted: Readonly<Record<string, unknown>>,
    now: number,
  ): { readonly errors: Readonly<Record<string, readonly string[]>>; readonly restarts: boolean } {
    const errors: Record<string, readonly string[]> = {}
    const accepted = new Map<string, Change>()
    let restarts = false
    this.#writes += 1
    for (const [name, entry] of Object.entries(wanted)) {
      const spec = specs.find((one) => one.name === name)
      const value = spec === undefined ? null : fitting(spec, entry)
      if (spec === undefined) errors[`settings.${name}`] = ['The setting is not supported by the device.']
      else if (value === null) errors[`settings.${name}`] = [notAllowed(spec)]
      else {
        const before = this.#stateOf(facts.id, name, now)
        const { isLocked } = entry as { readonly isLocked?: unknown }
        const after = {
          value,
          isLocked: typeof isLocked === 'boolean' ? isLocked : (before?.isLocked ?? false),
        }
        accepted.set(name, { before, after, showsAt: now + this.#delay(facts, name) })
        restarts ||= spec.restarts
      }
    }
    if (Object.keys(errors).length === 0)
      this.#changes.set(facts.id, new Map([...(this.#changes.get(facts.id) ?? []), ...accepted]))
    return { errors, restarts }
  }

  /** Always the same settings of the same devices are late. */
  #delay(facts: DeviceFacts, name: string): number {
    const struck = this.#faults.strikes('late-settings', 'UpdateDeviceSettings', [facts.id])
    if (!struck && roll(this.#seed, facts.index, facts.generation, numberOf(name), 604) >= late.share)
      return 0
    return (
      late.leastMs +
      Math.floor(roll(this.#seed, facts.index, this.#writes, 605) * (late.mostMs - late.leastMs))
    )
  }
}

/** The reason in the wording of an ASP.NET service (assumed). */
const notAllowed = (spec: SettingSpec): string => {
  if (spec.kind === 'number' && (spec.minimum !== null || spec.maximum !== null))
    return `The value must be between ${spec.minimum ?? 'any'} and ${spec.maximum ?? 'any'}.`
  if (spec.kind === 'text' && spec.minLength !== null)
    return `The value must have ${spec.minLength} to ${spec.maxLength ?? 'any number of'} characters.`
  return 'The value is not allowed.'
}

const fitting = (spec: SettingSpec, entry: unknown): SettingValue | null => {
  if (typeof entry !== 'object' || entry === null) return null
  const { isOn, selected, value } = entry as { isOn?: unknown; selected?: unknown; value?: unknown }
  if (spec.kind === 'boolean') return typeof isOn === 'boolean' ? { isOn } : null
  if (spec.kind === 'choice')
    return typeof selected === 'string' && spec.values.includes(selected) ? { selected } : null
  if (spec.kind === 'text')
    return typeof value === 'string' &&
      value.length >= (spec.minLength ?? 0) &&
      value.length <= (spec.maxLength ?? Number.POSITIVE_INFINITY)
      ? { value }
      : null
  return typeof value === 'number' &&
    Number.isInteger(value) &&
    value >= (spec.minimum ?? Number.NEGATIVE_INFINITY) &&
    value <= (spec.maximum ?? Number.POSITIVE_INFINITY)
    ? { value }
    : null
}
