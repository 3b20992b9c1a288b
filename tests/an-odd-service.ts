import { systemClock } from '../electron/adapters/clock.ts'
import type { ParsedCommand } from '../electron/cli/grammar.ts'
import { parse } from '../electron/cli/grammar.ts'
import type { Command, ExitCode } from '../electron/cli/command.ts'
import type { OrganizationDraft } from '../electron/contract/api/organizations.ts'
import type { Json, JsonObject } from '../electron/contract/json.ts'
import { createCore, type Core } from '../electron/core/app.ts'
import type { WireRequest } from '../electron/core/platform.ts'
import { fakePlatform, type FakePlatform } from './fake-platform.ts'
import { asClient } from './cli/a-core.ts'
import { aTerminal } from './cli/a-terminal.ts'
import { answer, FakeTransport } from './fake-transport.ts'
import { memoryDatabases, type DatabaseImages } from './memory-databases.ts'
import { TemporaryHome } from './temporary-store.ts'
import { addOrganization } from './add-organization.ts'

/**
 * A service whose responses a test specifies byte by byte, for responses that the demonstration never sends.
 */
export interface OddService {
  readonly core: Core
  readonly requests: readonly WireRequest[]
  /** Lists are returned in pages as observed (services.md#B4), by client type. */
  devices: Readonly<Record<'MeetingRoom' | 'Personal', readonly Json[]>>
  rooms: readonly Json[]
  /** By path below the metadata interface's version, without `.json`; every other document is 404. */
  readonly documents: Map<string, Json>
  /** Replaces all other responses; undefined: as above. */
  instead: (request: WireRequest) => ReturnType<typeof answer> | undefined
  /** A response of this address waits for the promise; undefined: none waits. */
  delay: (url: string) => Promise<void> | undefined
  /** Sets the clock forward by this time; timers are unchanged. */
  readonly sleep: (forInMs: number) => void
  /** Runs a command line of these commands in this process. */
  readonly run: (
    commands: readonly Command[],
    ...argv: string[]
  ) => Promise<{ readonly code: ExitCode; readonly output: string; readonly errors: string }>
  readonly close: () => Promise<void>
}

const base = 'https://odd.example'
const key = 'a1b2c3d4e5f60718293a4b5c6d7e8f90'

/** `draft`: changes of the organization. */
export async function anOddService(draft: Partial<OrganizationDraft> = {}): Promise<OddService> {
  const home = new TemporaryHome()
  const documents = new Map<string, Json>()
  const transport = new FakeTransport(async (request) => {
    await service.delay(request.url)
    return service.instead(request) ?? asUsual(request)
  })
  let slept = 0
  const clock = { ...systemClock, now: () => systemClock.now() + slept }
  const { databases, keys } = await preparedFor(draft)
  const platform = fakePlatform(home, { transport, clock, databases: memoryDatabases(databases) })
  for (const [account, secret] of keys) platform.keychain.entries.set(account, secret)
  const core = await createCore(platform)
  const service: OddService = {
    core,
    requests: transport.attempts,
    devices: { MeetingRoom: [], Personal: [] },
    rooms: [],
    documents,
    instead: () => undefined,
    delay: () => undefined,
    sleep: (forInMs) => void (slept += forInMs),
    async run(commands, ...argv) {
      const terminal = aTerminal()
      const given: ParsedCommand = parse(commands, argv)
      const code = await (given.shape as Command).run(asClient(core), given, terminal)
      return { code, output: terminal.output, errors: terminal.errors }
    },
    async close() {
      await core.close()
      await home.remove()
    },
  }
  const asUsual = ({ url, body }: WireRequest): ReturnType<typeof answer> => {
    const path = url.slice(base.length)
    const requested = body === null ? {} : (JSON.parse(body) as JsonObject)
    if (path === '/devices/api/devices')
      return answer(200, { items: listed(requested), continuationToken: null })
    if (path === '/meetingrooms/api/meetingrooms')
      return answer(200, { items: service.rooms, continuationToken: null })
    const document = documents.get(path.replace(/^\/models\/v\/\d+/, '').replace(/\.json$/, ''))
    return document === undefined ? answer(404, { message: 'Resource not found' }) : answer(200, document)
  }
  const listed = ({ deviceClientType }: JsonObject): readonly Json[] =>
    deviceClientType === 'MeetingRoom' || deviceClientType === 'Personal'
      ? service.devices[deviceClientType]
      : [...service.devices.MeetingRoom, ...service.devices.Personal]

  return service
}

/** The organization in databases, and its key: storing a key takes longer than all else that opens a service. */
interface Prepared {
  readonly databases: DatabaseImages
  readonly keys: FakePlatform['keychain']['entries']
}
/** Made once per process for each draft. */
const prepared = new Map<string, Promise<Prepared>>()

function preparedFor(draft: Partial<OrganizationDraft>): Promise<Prepared> {
  const name = JSON.stringify(draft)
  const known = prepared.get(name) ?? prepare(draft)
  prepared.set(name, known)
  return known
}

async function prepare(draft: Partial<OrganizationDraft>): Promise<Prepared> {
  const home = new TemporaryHome()
  const databases = memoryDatabases()
  const platform = fakePlatform(home, { databases })
  const core = await createCore(platform)
  const urls = { managementUrl: base, metadataUrl: base }
  await addOrganization(core.handlers, urls, { key, name: 'Odd', vendorId: 2830, ...draft })
  const images = databases.image()
  await core.close()
  await home.remove()
  return { databases: images, keys: platform.keychain.entries }
}
