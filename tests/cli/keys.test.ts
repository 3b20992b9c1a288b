import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openConnectedCore, serviceKeys } from '../connected-core.ts'
import { runIn } from '../../electron/cli/run-command.ts'
import { keyCommands } from '../../electron/cli/commands/keys.ts'
import { parse, UsageError } from '../../electron/cli/grammar.ts'
import { Failed } from '../../electron/contract/failure.ts'
import { createCore, type Core } from '../../electron/core/app.ts'
import type { Platform } from '../../electron/core/platform.ts'
import { entryOf } from '../../electron/core/organizations/key-entry.ts'
import { startDemonstration, type Demonstration } from '../../electron/demo/demonstration.ts'
import { fromMorning } from '../demo/a-demonstration.ts'
import { fakePlatform, type FakePlatform } from '../fake-platform.ts'
import { type TemporaryHome } from '../temporary-store.ts'
import { asClient } from './a-core.ts'
import { aTerminal } from './a-terminal.ts'
import { addOrganization } from '../add-organization.ts'

const { primary: primaryKey, secondary: secondaryKey } = serviceKeys
const wrongKey = '00000000000000000000000000000000'

let home: TemporaryHome
let platform: FakePlatform
let service: Demonstration
let core: Core
let id: string

beforeEach(async () => {
  const opened = await openConnectedCore({ devices: 20, rooms: 2 })
  ;({ home, platform, service, core } = opened)
  id = await opened.add()
})
afterEach(async () => {
  await core.close()
  await service.stop()
  await home.remove()
})

/** Starts the closed program again, with its databases and its keychain. */
async function startAgain(
  changes: Partial<Platform> = {},
  organization: string | null = null,
): Promise<void> {
  const again = fakePlatform(home, { databases: platform.databases, ...changes })
  core = await createCore(Object.assign(again, { keychain: platform.keychain }), { organization })
}

interface Said {
  readonly code: number | string
  readonly printed: string
  readonly said: string
}
/** What a command returns, prints and reports; wrong usage and failures by their kind. */
async function headroom(words: readonly string[], input = ''): Promise<Said> {
  const terminal = aTerminal({ input })
  const ended = (code: number | string): Said => ({
    code,
    printed: terminal.output.trimEnd(),
    said: terminal.errors.trimEnd(),
  })
  try {
    const given = parse(keyCommands, words)
    const command = keyCommands.find((one) => one.name === given.shape.name)!
    return ended(await command.run(asClient(core), given, terminal))
  } catch (error) {
    if (error instanceof UsageError) return ended('usage')
    if (error instanceof Failed) return ended(error.failure.kind)
    throw error
  }
}
const slots = () => {
  const { keyInUse, regenerate } = core.shared.organizations.get(id)
  return [keyInUse, regenerate?.slot ?? null]
}

test('a key is not asked for where nobody types', async () => {
  const terminal = aTerminal()
  const open = async () => asClient(core)
  const code = await runIn({ terminal, demonstration: { serve: async () => 0 }, open }, ['key', 'set'])
  expect({ code, output: terminal.output, errors: terminal.errors }).toEqual({
    code: 2,
    output: '',
    errors:
      'Nobody can type the key here: headroom key set primary --stdin reads it\nheadroom help lists the commands.\n',
  })
})

describe('headroom key rotate', () => {
  test('tests the key from standard input, uses it and names the one to regenerate', async () => {
    expect(await headroom(['key', 'rotate', '--stdin'], `${secondaryKey}\n`)).toEqual({
      code: 0,
      printed:
        'The secondary key is accepted and in use.\nRegenerate the primary key in the API portal (profile → subscriptions), then: headroom key set primary --stdin',
      said: '',
    })
    expect(slots()).toEqual(['secondary', 'primary'])
  })

  test('uses the stored key without standard input, and switches back the next time', async () => {
    await core.handlers.organizations.setKey({ id, slot: 'secondary', key: secondaryKey })
    await headroom(['key', 'rotate'])
    expect(slots()).toEqual(['secondary', 'primary'])
    await headroom(['key', 'rotate'])
    expect(slots()).toEqual(['primary', 'secondary'])
  })

  test('prints the current state with --json, and no key', async () => {
    const { printed } = await headroom(['key', 'rotate', '--stdin', '--json'], secondaryKey)
    expect(JSON.parse(printed)).toMatchObject({
      keyInUse: 'secondary',
      regenerate: { slot: 'primary', because: 'swapped' },
    })
    expect(printed).not.toContain(secondaryKey)
  })

  test('ends with 3 for a refused key, and keeps the one in use', async () => {
    const { code, said } = await headroom(['key', 'rotate', '--stdin'], wrongKey)
    expect([code, said]).toEqual([
      3,
      'The service refused the secondary key. Nothing changed: the primary key stays in use.',
    ])
    expect(slots()).toEqual(['primary', null])
    const { said: document } = await headroom(['key', 'rotate', '--stdin', '--json'], wrongKey)
    expect(JSON.parse(document)).toEqual({ kind: 'key-refused', slot: 'secondary', message: null })
    expect(await core.handlers.sync.run()).toMatchObject({ complete: true })
  })

  test.each([
    ['without another key', ['key', 'rotate'], '', 'usage'],
    ['with an operand', ['key', 'rotate', 'secondary'], '', 'usage'],
    ['with the key that is in use', ['key', 'rotate', '--stdin'], primaryKey, 'invalid'],
    ['with nothing on standard input', ['key', 'rotate', '--stdin'], '\n', 'invalid'],
  ])('%s changes nothing', async (_, words, input, code) => {
    expect((await headroom(words, input)).code).toBe(code)
    expect(slots()).toEqual(['primary', null])
  })

  test('does not use a key that the next start could not read when there is no keychain', async () => {
    platform.keychain.problem = 'no-service'
    expect((await headroom(['key', 'rotate', '--stdin'], secondaryKey)).code).toBe('keychain-unavailable')
    expect(slots()).toEqual(['primary', null])
  })
})

describe('the reminder after key rotate', () => {
  beforeEach(() => headroom(['key', 'rotate', '--stdin'], secondaryKey))

  test('ends when the regenerated key is entered', async () => {
    const regenerated = 'ffeeddccbbaa99887766554433221100'
    expect((await headroom(['key', 'set', '--slot', 'primary', '--stdin'], regenerated)).code).toBe(0)
    expect(slots()).toEqual(['secondary', null])
  })

  test('ends when the technician dismisses it', async () => {
    expect(await headroom(['key', 'regenerated'])).toMatchObject({
      code: 0,
      printed:
        'The reminder for the primary key has ended. Enter the new one: headroom key set primary --stdin',
    })
    expect(slots()).toEqual(['secondary', null])
    expect((await headroom(['key', 'regenerated'])).printed).toBe('There is no such reminder.')
  })
})

test('uses HEADROOM_KEY for the organization given with --organization, even if another is current', async () => {
  const other = await startDemonstration({ now: fromMorning(), devices: 20, rooms: 2, key: secondaryKey })
  await addOrganization(core.handlers, other, { name: 'Other' })
  await core.handlers.organizations.use({ id })
  await core.close()
  await startAgain({ keyFromEnvironment: secondaryKey }, 'Other')
  expect(await headroom(['key', 'check'])).toEqual({
    code: 0,
    printed: 'The primary key is accepted.',
    said: '',
  })
  expect(
    (await core.handlers.organizations.list()).organizations.map(({ name, current, keys }) => [
      name,
      current,
      keys[0]?.keptIn,
    ]),
  ).toEqual([
    ['Nordlys', true, 'keychain'],
    ['Other', false, 'environment'],
  ])
  await other.stop()
})

test('never repeats a stored key that was typed in the wrong place, even before it was read', async () => {
  await core.handlers.organizations.setKey({ id, slot: 'secondary', key: 'my-odd-key' })
  await core.close()
  await startAgain()
  const terminal = aTerminal()
  const open = async () => asClient(core)
  expect(
    await runIn({ terminal, demonstration: { serve: async () => 0 }, open }, ['org', 'use', 'my-odd-key']),
  ).toBe(2)
  expect(terminal.said).toEqual([
    'There is no organization "[subscription key]".',
    'headroom help lists the commands.',
  ])
})

describe('headroom key check and key forget', () => {
  test.each<[string[], number | string]>([
    [['key', 'check'], 0],
    [['key', 'check', 'primary'], 0],
    [['key', 'check', '--slot', 'primary'], 0],
    [['key', 'check', '--slot', 'secondary'], 3],
    [['key', 'check', '--slot', 'third'], 'usage'],
    [['key', 'check', 'primary', '--slot', 'secondary'], 'usage'],
  ])('%j ends with %s', async (words, code) => {
    await core.handlers.organizations.setKey({ id, slot: 'secondary', key: wrongKey })
    expect((await headroom(words)).code).toBe(code)
  })

  describe('a key that is bound to another host', () => {
    const boundTo = 'https://elsewhere.example'
    /** Restarts the program over a keychain with such entries. */
    beforeEach(async () => {
      await core.handlers.organizations.setKey({ id, slot: 'secondary', key: secondaryKey })
      await core.handlers.sync.run()
      await core.close()
      platform.keychain.entries.set(`${id}:secondary`, entryOf(secondaryKey, boundTo))
      await startAgain()
    })

    test('changes nothing when rotating to it', async () => {
      expect((await headroom(['key', 'rotate'])).code).toBe('key-not-bound')
      expect(slots()).toEqual(['primary', null])
    })

    test('keeps everything else working: cached data and metadata calls', async () => {
      await core.handlers.organizations.useKey({ id, slot: 'secondary' })
      const syncing = await core.handlers.sync.run().catch((error: unknown) => error)
      expect(syncing instanceof Failed ? syncing.failure : syncing).toEqual({
        kind: 'key-not-bound',
        slot: 'secondary',
        boundTo,
        wouldGoTo: new URL(service.managementUrl).origin,
      })
      const { total } = await core.handlers.devices.slice({ where: '', sort: [], start: 0, count: 1 })
      const { inUse } = await core.handlers.metadata.versions({ refresh: true })
      expect([total, inUse]).toEqual([20, 18])
    })
  })

  test('does not claim to have forgotten a key that was not stored', async () => {
    expect(await headroom(['key', 'forget', 'secondary'])).toEqual({
      code: 0,
      printed: 'There was no secondary key. The primary key is used.',
      said: '',
    })
  })

  test('reports after forgetting which key is used from then on', async () => {
    await core.handlers.organizations.setKey({ id, slot: 'secondary', key: secondaryKey })
    expect(await headroom(['key', 'forget', '--slot', 'primary'])).toMatchObject({
      code: 0,
      printed: 'The primary key is forgotten. The secondary key is used.',
    })
    expect([...platform.keychain.entries.values()]).toEqual([
      `${secondaryKey} ${new URL(service.managementUrl).origin}`,
    ])
  })

  test('ends with 4 and reports an entry that the keychain does not remove', async () => {
    platform.keychain.problem = 'locked'
    const { code, said } = await headroom(['key', 'forget'])
    expect([code, said]).toEqual([
      4,
      expect.stringContaining('removed from there as soon as the keychain can be used'),
    ])
  })
})
