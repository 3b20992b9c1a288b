import type {
  ExplorerResponse,
  ExplorerCall,
  ExplorerOperation,
  ExplorerRun,
} from '../../contract/api/explorer.ts'
import { Failed, orNull, type Failure } from '../../contract/failure.ts'
import type { Json } from '../../contract/json.ts'
import { operationNamed, type Operation } from '../../contract/operations.ts'
import type { EndpointTemplates } from '../../contract/template.ts'
import type { WriteReport } from '../../contract/api/writes.ts'
import type { Clock, WireResponse } from '../platform.ts'
import { strictFindings, type DocumentCache } from '../metadata/metadata.ts'
import type { ServiceClient, ServiceRequest } from '../service-client/service-client.ts'
import type { Tasks } from '../tasks.ts'
import { bodyText, type PlannedWrite, type Writes } from '../writes/writes.ts'
import { asListed, callables, mustBeCallable, type Callable } from './callable.ts'
import { copiedRead, type UsedCopy } from './copied-read.ts'
import type { StoredCalls } from './call-rows.ts'
import type { OfferedValues } from './offered-values.ts'
import { curlOf, powershellOf, type ShellCall } from './shell-text.ts'
import { mustHoldNoDots, withoutSecrets } from './stored-parameters.ts'
import { typedCall } from './typed-call.ts'
import type { Handlers } from '../../contract/rpc-client.ts'

export { openStoredCalls } from './call-rows.ts'
export { inTime, openOfferedValues } from './offered-values.ts'
export { knownName, roomTarget } from './write-subjects.ts'

/** Longest body passed to the renderer, in characters (contract, explorer.ts). */
export const textAtMost = 4 * 1024 * 1024

/**
 * Every documented operation by name. The only feature that shows a live response instead of the store's
 * data.
 */
export interface Explorer {
  operations(): Promise<readonly ExplorerOperation[]>
  /**
   * The reads that the stored description of the metadata interface has beyond the table, without suggested
   * values.
   */
  described(): Promise<readonly ExplorerOperation[]>
  /**
   * One call: reads run at once on the interactive lane and are never repeated; writes go through
   * `writes.execute()` only. Returns every response, errors too, with all keys removed. Rejects with Failed
   * if there was no response, or if nothing was sent: `invalid`, `not-found` (no path is published),
   * `writes-locked`, and every failure that prevents a call.
   */
  run(
    run: Pick<ExplorerRun, 'operation' | 'parameters' | 'unlock'>,
    options?: RunOptions,
  ): Promise<ExplorerResponse>
  /** By name. */
  examples(): Promise<readonly ExplorerCall[]>
  saveExample(
    example: Pick<ExplorerCall, 'name' | 'operation' | 'parameters'>,
  ): Promise<readonly ExplorerCall[]>
  removeExample(example: { readonly id: number }): Promise<readonly ExplorerCall[]>
  /** Newest first. */
  history(): Promise<readonly ExplorerCall[]>
}

/** How a call is made; what is missing is false or null. */
interface RunOptions extends Partial<Pick<ExplorerRun, 'whole' | 'wait' | 'copies' | 'reference'>> {
  /** Ends a read. A write that has begun is not interrupted. */
  readonly signal?: AbortSignal
}

interface ExplorerClients {
  readonly metadata: ServiceClient
  /** By the `api-version` header: v1 and v2 of the device list can be called with any profile. */
  readonly management: (apiVersion: number) => ServiceClient
}

/** The devices that a write changes or takes down, read immediately before it. */
export type WriteTarget = Pick<PlannedWrite, 'target' | 'deviceIds' | 'deviceIdsAgain'>

export interface ExplorerDeps {
  readonly clock: Clock
  readonly clients: ExplorerClients
  readonly baseUrls: { readonly metadata: string; readonly management: string }
  /** From the profile: used if `apiVersion` and `sdk` are not typed, and for the shells' headers. */
  readonly profile: {
    readonly metadataVersion: number
    readonly managementVersion: number
    readonly family: string
    readonly templates: EndpointTemplates
  }
  readonly writes: Writes
  /** Reads a room again to get its members. Rejects with Failed. */
  readonly room: (groupId: string) => Promise<WriteTarget>
  /** The name as last read; null: not known. */
  readonly deviceName: (deviceId: string) => Promise<string | null>
  /** Stored settings of a device that a write may have changed. */
  readonly forgetSettings: (deviceId: string) => Promise<void>
  readonly storedCalls: StoredCalls
  readonly documents: Pick<DocumentCache, 'answerCopy' | 'keepAnswer'>
  readonly offered: OfferedValues
  /**
   * Reads beyond the table, by the stored description, or by that of the service (`ask`); empty if there is none.
   * Does not reject with Failed.
   */
  readonly described: (how: { readonly ask: boolean }) => Promise<readonly Operation[]>
  /** Removes every known key from a text. */
  readonly scrub: (text: string) => string
  /**
   * The same for stored text: it also covers keys that were not read from the keychain yet. Never rejects.
   */
  readonly keyScrubber: () => Promise<(text: string) => string>
}

/**
 * The operations with the paths of these templates, without suggested values: synchronous. null: unpublished
 * ones with their observed paths.
 */
const documentedOperations = (templates: EndpointTemplates | null): readonly ExplorerOperation[] =>
  callables(templates).map((one) => asListed(one))

export function openExplorer(deps: ExplorerDeps): Explorer {
  const { clock, writes, storedCalls, scrub, profile } = deps
  const table = callables(profile.templates)
  const described = async (how: { readonly ask: boolean }): Promise<readonly Callable[]> =>
    (await deps.described(how)).map((one) => ({ ...one, ownPath: null, ownBody: null }))
  const named = async (name: string): Promise<Callable> => {
    const found =
      table.find((one) => one.name === name) ??
      (await described({ ask: false })).find((one) => one.name === name)
    if (found === undefined)
      throw Failed.invalid('operation', `There is no operation "${scrub(name).slice(0, 80)}".`)
    return found
  }

  const opened = new Map<number, ServiceClient>()
  const managementClient = (version: number): ServiceClient => {
    const client = opened.get(version) ?? deps.clients.management(version)
    opened.set(version, client)
    return client
  }
  /** Version 2 moved the device list from GET to POST and added the one with settings (services.md#B31). */
  const versionFor = (operation: string): number => {
    if (operation === 'ListDevicesV1') return 1
    return operation.startsWith('ListDevices')
      ? Math.max(2, profile.managementVersion)
      : profile.managementVersion
  }

  /** Values of the profile need not be typed. */
  const withProfile = (
    operation: Callable,
    typed: ExplorerRun['parameters'],
  ): Readonly<Record<string, string>> => {
    const own = { apiVersion: String(profile.metadataVersion), sdk: profile.family }
    const missing = Object.entries(own).filter(
      ([name]) => operation.parameters.some((one) => one.name === name) && (typed[name] ?? '') === '',
    )
    return { ...typed, ...Object.fromEntries(missing) }
  }

  async function run(
    { operation: name, parameters, unlock }: Pick<ExplorerRun, 'operation' | 'parameters' | 'unlock'>,
    { whole = false, wait = false, copies = null, reference = null, signal }: RunOptions = {},
  ): Promise<ExplorerResponse> {
    const operation = await named(name)
    mustBeCallable(name, profile.templates)
    const scrubStored = await deps.keyScrubber()
    mustHoldNoKey(operation, parameters)
    const { path, body } = typedCall(operation, withProfile(operation, parameters))
    mustHoldNoDots(operation, parameters)
    const seen: { answer: WireResponse | null; tookInMs: number; startedAt: number } = {
      answer: null,
      tookInMs: 0,
      startedAt: clock.now(),
    }
    const begun = clock.monotonic()
    const request: ServiceRequest = {
      operation: name,
      method: operation.method,
      path,
      body,
      lane: operation.effect !== null ? 'write' : 'interactive',
      writes: operation.effect !== null,
      once: true,
      signal: signal ?? null,
      observe: (answer, tookInMs) =>
        Object.assign(seen, { answer, tookInMs, startedAt: Math.round(clock.now() - tookInMs) }),
    }
    const client =
      operation.interface === 'metadata' ? deps.clients.metadata : managementClient(versionFor(name))
    let report: WriteReport | null = null
    let failure: Failure | null = null
    let used: UsedCopy | null = null
    try {
      if (operation.effect !== null) {
        await writes.mustBeOpen(unlock)
        const target = await targetOf(operation, parameters)
        const after = body === null ? (parameters['firmwareVersion'] ?? null) : bodyText(body, scrubStored)
        const send: PlannedWrite['send'] = (ended, beforeDispatch) =>
          client.send({ ...request, signal: ended, beforeDispatch })
        report = await writes.execute({
          operation: name,
          ...target,
          unlock,
          wait,
          reference,
          before: null,
          after,
          send,
        })
        const { outcome } = report
        // Values read before may be outdated.
        if (name === 'UpdateDeviceSettings' && (outcome === 'accepted' || outcome === 'unconfirmed'))
          await deps.forgetSettings(target.target.id)
      } else if (copies === null || operation.interface !== 'metadata') await client.send(request)
      else
        used = await copiedRead({
          client,
          documents: deps.documents,
          request,
          address: addressOf(operation, path),
          only: copies === 'only',
        })
    } catch (error) {
      // A read shows any response; a write that was never sent has none.
      if (!(error instanceof Failed) || operation.effect !== null) throw error
      failure = error.failure
    }
    if (report?.outcome !== 'waiting' && used?.because !== 'not-asked')
      await note(name, clean(operation, parameters, scrubStored), seen.answer?.status ?? null, seen.startedAt)
    if (failure !== null && seen.answer === null) throw new Failed(failure)
    const text = scrub(used?.copy.text ?? seen.answer?.body ?? '')
    const cut = !whole && text.length > textAtMost
    const shell = shellCall(operation, path, body)
    const json = used !== null || seen.answer?.status === 200 ? parsed(text) : undefined
    const strict = json === undefined ? { unknown: [], missing: [] } : strictFindings(operation.answer, json)
    return {
      operation: name,
      method: operation.method,
      url: shell.url,
      requestBody: shell.body,
      status: seen.answer?.status ?? null,
      headers: Object.fromEntries(
        Object.entries(seen.answer?.headers ?? {}).map(([header, value]) => [header, scrub(value)]),
      ),
      body: cut ? text.slice(0, textAtMost) : text,
      cut,
      copy: used === null ? null : { observedAt: used.copy.observedAt, because: used.because },
      startedAt: seen.startedAt,
      failure: report?.failure ?? failure,
      durationInMs: Math.round(seen.answer === null ? clock.monotonic() - begun : seen.tookInMs),
      report,
      unknownMembers: strict.unknown,
      missingMembers: strict.missing,
      curl: curlOf(shell),
      powershell: powershellOf(shell),
    }
  }

  async function targetOf(operation: Callable, parameters: ExplorerRun['parameters']): Promise<WriteTarget> {
    const { groupId, deviceId } = parameters
    if (groupId !== undefined) return deps.room(groupId)
    if (deviceId === undefined) throw Failed.invalid('path', `${operation.name} does not name a device.`)
    return {
      target: { of: 'device', id: deviceId, name: await deps.deviceName(deviceId) },
      deviceIds: [deviceId],
    }
  }

  const addressOf = (operation: Callable, path: string): string =>
    deps.baseUrls[operation.interface].replace(/\/+$/, '') + path

  const shellCall = (operation: Callable, path: string, body: Json | null): ShellCall => {
    const management = operation.interface === 'management'
    return {
      method: operation.method,
      url: scrub(addressOf(operation, path)),
      headers: {
        ...(management
          ? { 'api-version': String(versionFor(operation.name)), 'Cache-Control': 'no-cache' }
          : { Accept: 'application/json' }),
        ...(body === null ? {} : { 'Content-Type': 'application/json' }),
      },
      body: body === null ? null : scrub(JSON.stringify(body)),
      withKey: management,
    }
  }

  const clean = (
    operation: Callable,
    parameters: ExplorerRun['parameters'],
    scrubStored: (text: string) => string,
  ): ExplorerRun['parameters'] =>
    Object.fromEntries(
      Object.entries(withoutSecrets(operation, parameters)).map(([parameter, text]) => [
        parameter,
        scrubStored(text),
      ]),
    )

  /**
   * A key is sent to the management host only. It is also never used as a device id, because
   * the journal stores ids.
   */
  function mustHoldNoKey(operation: Callable, parameters: ExplorerRun['parameters']): void {
    const inPath =
      operation.interface === 'metadata'
        ? Object.keys(parameters)
        : operation.effect !== null
          ? ['groupId', 'deviceId', 'firmwareVersion']
          : []
    const field = inPath.find((name) => scrub(parameters[name] ?? '') !== (parameters[name] ?? ''))
    if (field !== undefined)
      throw Failed.invalid(field, 'This contains a subscription key. Nothing was sent.')
  }

  /** If the workbook cannot be written, the history loses this call, but the response is returned. */
  async function note(
    operation: string,
    parameters: ExplorerRun['parameters'],
    status: number | null,
    at: number,
  ): Promise<void> {
    try {
      await storedCalls.note({ operation, parameters, at, status })
    } catch (error) {
      if (!(error instanceof Failed)) throw error
    }
  }

  return {
    async operations() {
      const [offered, others] = await Promise.all([deps.offered(), described({ ask: true })])
      return [...table, ...others].map((one) => asListed(one, offered))
    },
    described: async () => (await described({ ask: false })).map((one) => asListed(one)),
    run,
    examples: () => storedCalls.examples(),
    async saveExample({ name, operation, parameters }) {
      const scrubStored = await deps.keyScrubber()
      const called = await named(operation)
      await storedCalls.saveExample({
        name: scrubStored(name.trim()),
        operation: called.name,
        parameters: clean(called, parameters, scrubStored),
        at: clock.now(),
      })
      return storedCalls.examples()
    },
    async removeExample({ id }) {
      await storedCalls.removeExample(id)
      return storedCalls.examples()
    },
    history: () => storedCalls.history(),
  }
}

/** undefined: the body is not JSON; the response is shown anyway. */
function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as Json
  } catch {
    return undefined
  }
}

const isWrite = (name: string): boolean => (operationNamed(name)?.effect ?? null) !== null

export const explorerHandlers = (
  current: () => Promise<{ readonly templates: EndpointTemplates }>,
  session: () => Promise<{ readonly explorer: Explorer }>,
  tasks: Tasks,
): Handlers<'explorer'> => ({
  operations: async () => (await session()).explorer.operations(),
  async knownOperations() {
    const organization = await orNull(current())
    const described = await orNull(session().then(({ explorer }) => explorer.described()))
    return [...documentedOperations(organization?.templates ?? null), ...(described ?? [])]
  },
  run: async (run) => {
    const { explorer } = await session()
    // The caller of a write cannot cancel it.
    return isWrite(run.operation)
      ? explorer.run(run, run)
      : tasks.run('call', ({ signal }) => explorer.run(run, { ...run, signal }))
  },
  examples: async () => (await session()).explorer.examples(),
  saveExample: async (example) => (await session()).explorer.saveExample(example),
  removeExample: async (example) => (await session()).explorer.removeExample(example),
  history: async () => (await session()).explorer.history(),
})
