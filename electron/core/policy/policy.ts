import { Failed, type FailureOf, type PolicyRule } from '../../contract/failure.ts'
import {
  policyMembers,
  type PolicyMember,
  type PolicySettings,
  type PolicyState,
  type PolicyValue,
} from '../../contract/api/policy.ts'
import { Listeners } from '../listeners.ts'
import { foldedName } from '../organizations/organizations.ts'
import type { Cancel, Platform, PolicySource } from '../platform.ts'
import { parsePolicy } from './policy-document.ts'

export { handlersUnderPolicy, platformUnderPolicy } from './under-policy.ts'

/** An administrator's policy. It only restricts or presets. */
export interface Policy {
  readonly state: () => PolicyState
  /** What holds now. While the document cannot be read, what held before in this run. */
  readonly settings: () => PolicySettings
  /**
   * Why it does not allow this; null: it does. `subject`: the host of `host`, the name of an `organization`.
   */
  readonly refusal: (rule: PolicyRule, subject?: string) => FailureOf<'policy'> | null
  /** Throws Failed `policy`. */
  readonly mustAllow: (rule: PolicyRule, subject?: string) => void
  /** Something of it changed. Returns the function that ends it. */
  readonly onChange: (listener: () => void) => () => void
  readonly close: () => void
}

/** Chosen: what the system does not tell of, such as the registry, holds after that time. */
const lookEveryInMs = 10 * 60_000

interface Read {
  readonly state: PolicyState
  readonly settings: PolicySettings
}

/** What holds now. `before`: settings that hold while the document cannot be read. Never rejects. */
async function read(source: PolicySource, before: PolicySettings): Promise<Read> {
  const found = await source.read()
  const { file } = found
  if (found.kind === 'none')
    return { state: { file, state: 'none', problem: null, settings: [] }, settings: {} }
  const { settings, problem } =
    found.kind === 'refused' ? { settings: null, problem: found.problem } : parsePolicy(file, found.bytes)
  const held = settings ?? before
  return {
    settings: held,
    state: { file, state: problem === null ? 'applied' : 'locked', problem, settings: listed(held) },
  }
}

const listed = (settings: PolicySettings): PolicyState['settings'] =>
  (Object.keys(policyMembers.shape) as PolicyMember[]).flatMap((name) => {
    const value: PolicyValue | undefined = settings[name]
    return value === undefined || name === 'policy' || name === 'optional' ? [] : [{ name, value }]
  })

/** For a command without a data folder. */
export async function readPolicy(source: PolicySource): Promise<Pick<Policy, 'state' | 'mustAllow'>> {
  const { state, settings } = await read(source, {})
  return {
    state: () => state,
    mustAllow: (rule, subject) => mustAllow(refusalBy(state, settings, rule, subject)),
  }
}

export async function openPolicy(deps: Pick<Platform, 'policySource' | 'clock' | 'log'>): Promise<Policy> {
  const { policySource, clock, log } = deps
  const listeners = new Listeners()
  let now = await read(policySource, {})
  let cancel: Cancel = () => undefined
  let isClosed = false
  let reading: Promise<void> = Promise.resolve()
  const note = ({ file, state, problem }: PolicyState): void => {
    if (state !== 'none') log.write(state === 'locked' ? 'warn' : 'info', 'Policy', { file, state, problem })
  }
  note(now.state)

  const lookAgain = (): void => {
    reading = reading.then(async () => {
      const previous = now
      const next = await read(policySource, previous.settings)
      if (isClosed || JSON.stringify(next) === JSON.stringify(previous)) return
      now = next
      note(next.state)
      listeners.notify()
    })
  }
  const lookLater = (): void => {
    cancel = clock.after(lookEveryInMs, () => {
      lookAgain()
      lookLater()
    })
  }
  lookLater()
  const stopWatching = policySource.watch(lookAgain)

  const refusal: Policy['refusal'] = (rule, subject) => refusalBy(now.state, now.settings, rule, subject)
  return {
    state: () => now.state,
    settings: () => now.settings,
    refusal,
    mustAllow: (rule, subject) => mustAllow(refusal(rule, subject)),
    onChange: listeners.add,
    close: () => {
      isClosed = true
      cancel()
      stopWatching()
      listeners.clear()
    },
  }
}

function mustAllow(failure: FailureOf<'policy'> | null): void {
  if (failure !== null) throw new Failed(failure)
}

const forbids: Readonly<Record<PolicyRule, (settings: PolicySettings, subject: string) => boolean>> = {
  locked: () => false,
  'look-only': ({ lookOnly }) => lookOnly === true,
  host: ({ allowedHosts }, host) => allowedHosts?.some((allowed) => isHost(host, allowed)) === false,
  // The number is compared where actions are counted.
  'most-items': ({ mostItems }) => mostItems !== undefined,
  export: (settings) => settings.export === false,
  webhooks: ({ webhooks }) => webhooks === false,
  demonstration: ({ demonstration }) => demonstration === false,
  organization: ({ organizations = [] }, name) =>
    organizations.some((given) => foldedName(given.name) === foldedName(name)),
}

function refusalBy(
  { file, state, problem }: PolicyState,
  settings: PolicySettings,
  rule: PolicyRule,
  subject = '',
): FailureOf<'policy'> | null {
  const isForbidden = rule === 'locked' ? state === 'locked' : forbids[rule](settings, subject)
  const detail =
    rule === 'locked'
      ? problem
      : rule === 'most-items'
        ? String(settings.mostItems)
        : subject === ''
          ? null
          : subject
  return isForbidden ? { kind: 'policy', rule, file, detail } : null
}

/** Both in lower case. A name with a final dot is the same host. */
function isHost(host: string, allowed: string): boolean {
  const name = host.replace(/\.$/, '')
  return allowed.startsWith('*.') ? name.endsWith(allowed.slice(1)) : name === allowed
}
