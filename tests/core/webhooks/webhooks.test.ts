import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkWebhookCommand, webhookCommands } from '../../../electron/cli/commands/webhooks.ts'
import { parse, UsageError } from '../../../electron/cli/grammar.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import { createCore, type Core } from '../../../electron/core/app.ts'
import type { WireResponse, WireRequest } from '../../../electron/core/platform.ts'
import { checkInTime } from '../../../electron/core/webhooks/webhooks.ts'
import { checkPayload } from '../../../electron/core/webhooks/schema-check.ts'
import { fakePlatform, type FakePlatform } from '../../fake-platform.ts'
import { asClient } from '../../cli/a-core.ts'
import { aTerminal } from '../../cli/a-terminal.ts'
import { Programs } from '../../cli/programs.ts'
import { FakeClock } from '../../fake-clock.ts'
import { answer } from '../../fake-transport.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { addOrganization } from '../../add-organization.ts'

const key = 'a1b2c3d4e5f60718293a4b5c6d7e8f90'
const event = JSON.stringify({ data: { validationUrl: 'https://validate.example.com/v?token=abc' } })

let home: TemporaryHome
let platform: FakePlatform
let core: Core
let requested: { readonly request: WireRequest; readonly address: string }[]
let answering: () => Promise<WireResponse>

beforeEach(async () => {
  home = new TemporaryHome()
  requested = []
  answering = async () => answer(200, '')
  platform = fakePlatform(home, {
    names: { lookup: async () => ['20.42.65.88'], loopbackForTests: false },
    pinned: {
      attempt: (request, address) => {
        requested.push({ request, address })
        return answering()
      },
    },
    transport: { attempt: () => Promise.reject(new Error('the usual transport is not for strangers')) },
  })
  core = await createCore(platform)
  const urls = { managementUrl: 'https://api.example.com', metadataUrl: 'https://cdn.example.com' }
  await addOrganization(core.handlers, urls, { key })
})
afterEach(async () => {
  await core.close()
  await home.remove()
})

describe('Validating with a key in the keychain', () => {
  it('never sends the key, and is counted with its purpose and no organization', async () => {
    expect(await core.handlers.webhooks.validate({ text: event })).toMatchObject({
      outcome: 'validated',
      host: 'validate.example.com',
      address: '20.42.65.88',
    })
    expect(Object.keys(requested[0]?.request.headers ?? {}).sort()).toEqual(['accept', 'user-agent'])
    expect(JSON.stringify(requested)).not.toContain(key)
    const contacted = (await core.handlers.connections.list(undefined)).map(
      ({ host: name, purpose, organizations, attempts, failed }) => ({
        name,
        purpose,
        organizations,
        attempts,
        failed,
      }),
    )
    expect(contacted).toEqual([
      {
        name: 'validate.example.com',
        purpose: 'webhook-validation',
        organizations: [],
        attempts: 1,
        failed: 0,
      },
    ])
  })

  it('sends one request when pressed twice', async () => {
    let finish: (answered: WireResponse) => void = () => undefined
    answering = () => new Promise((resolve) => (finish = resolve))
    const both = [
      core.handlers.webhooks.validate({ text: event }),
      core.handlers.webhooks.validate({ text: event }),
    ]
    await expect.poll(() => requested.length).toBe(1)
    finish(answer(200, ''))
    const [one, other] = await Promise.all(both)
    expect({ same: one === other, requested: requested.length }).toEqual({ same: true, requested: 1 })
  })

  it('sends another request when the technician repeats it later', async () => {
    await core.handlers.webhooks.validate({ text: event })
    await core.handlers.webhooks.validate({ text: event })
    expect(requested.length).toBe(2)
  })

  it('of a payload that is no validation event is rejected', async () => {
    const refused = await core.handlers.webhooks
      .validate({ text: '{"id": 1}' })
      .catch((error: unknown) => (error instanceof Failed ? error.failure : error))
    expect(refused).toEqual({
      kind: 'invalid',
      field: 'webhook',
      message: 'This payload has no validationUrl, so it is not a validation event.',
    })
  })

  it('writes neither address nor token into the log', async () => {
    await core.handlers.webhooks.validate({ text: event })
    expect(platform.lines.filter((line) => /validate\.example|token/.test(line))).toEqual([])
  })
})

describe('A schema check', () => {
  it('that does not end is stopped after five seconds and reported', async () => {
    const clock = new FakeClock()
    let ended = false
    const check = checkInTime(
      { schema: '{"pattern": "^(a+)+$"}', payload: '"aa!"' },
      {
        clock,
        schemas: {
          check: (_, signal) =>
            new Promise((resolve) =>
              signal.addEventListener('abort', () => {
                ended = true
                resolve(null)
              }),
            ),
        },
      },
    )
    await clock.advance(4_999)
    const before = ended
    await clock.advance(1)
    expect({ before, check: await check, waiting: clock.waiting }).toEqual({
      before: false,
      check: {
        fits: false,
        checked: 'payload',
        problems: [],
        leftOut: 0,
        notChecked: [],
        unusable: {
          of: 'schema',
          message: 'Checking this payload against this schema takes too long or needs too much memory.',
        },
      },
      waiting: 0,
    })
  })

  it('of a list against the schema of one event names the event', async () => {
    const { fits, problems } = checkPayload({
      schema: '{"required": ["id"]}',
      payload: '[{"id": 1}, {}]',
    })
    expect({ fits, problems }).toEqual({
      fits: false,
      problems: [{ place: '/1', message: 'The value does not have required property "id".' }],
    })
  })
})

describe('On the command line', () => {
  const run = async (words: readonly string[], input = '') => {
    const given = parse(webhookCommands, words)
    const command = webhookCommands.find(({ name }) => name === given.shape.name)!
    const terminal = aTerminal({ input })
    return { code: await command.run(asClient(core), given, terminal), printed: terminal.output.trimEnd() }
  }

  it('validate names the host and requires --yes', async () => {
    await expect(run(['webhook', 'validate', '-'], event)).rejects.toEqual(
      new UsageError('webhook validate sends one request to validate.example.com: add --yes.'),
    )
    expect(requested).toEqual([])
  })

  it('validate --yes sends one request', async () => {
    expect(await run(['webhook', 'validate', '-', '--yes'], event)).toEqual({
      code: 0,
      printed:
        'validate.example.com (20.42.65.88) accepted the validation: the webhook should be active now.',
    })
    expect(requested.length).toBe(1)
  })

  it('validate of an internal address sends no request', async () => {
    expect(
      await run(['webhook', 'validate', '-', '--yes'], '{"validationUrl": "https://10.0.0.1/"}'),
    ).toEqual({
      code: 3,
      printed: 'Nothing was sent: the address points to a private network or to this computer.',
    })
    expect(requested).toEqual([])
  })

  const check = async (words: readonly string[], input = '{}') => {
    const terminal = aTerminal({ input })
    const given = parse([checkWebhookCommand], ['webhook', 'check', '-', ...words])
    const schemas = { check: async () => null }
    const { clock, policySource } = platform
    const reset = (): Promise<never> => Promise.reject(new Error('not here'))
    const alone = { clock, schemas, policySource, home: '', reset }
    const code = await checkWebhookCommand.runAlone(given, terminal, alone)
    return { code, printed: terminal.output.trimEnd() }
  }

  it.each([[[]], [['--read', '--schema', 'schema.json']]])(
    'check needs either a schema or --read: %j',
    async (words) => {
      await expect(check(words)).rejects.toEqual(
        new UsageError('webhook check needs either --schema FILE or --read.'),
      )
    },
  )

  it('check reports which file cannot be read', async () => {
    await expect(check(['--schema', '/nowhere/schema.json'])).rejects.toEqual(
      new Failed({ kind: 'invalid', field: 'file', message: '/nowhere/schema.json cannot be read.' }),
    )
  })

  it('check --read prints the host and sends nothing', async () => {
    const { code, printed } = await check(['--read'], event)
    expect({ code, first: printed.split('\n').slice(0, 2) }).toEqual({
      code: 0,
      first: [
        'A validation event (object), address at data.validationUrl.',
        'Validation by validate.example.com, 10:00 left.',
      ],
    })
    expect(requested).toEqual([])
  })

  it('check --read shows the events in order of time', async () => {
    const events = ['13:59', '13:58'].map((time, at) => ({
      eventType: `event ${at}`,
      eventTime: `2026-11-21T${time}:00Z`,
    }))
    const { code, printed } = await check(['--read'], JSON.stringify(events))
    expect({ code, types: printed.match(/event \d/g) }).toEqual({ code: 0, types: ['event 1', 'event 0'] })
  })

  it('check --read reports the place of damage', async () => {
    expect(await check(['--read'], '{')).toEqual({
      code: 3,
      printed: 'Line 1, column 2: the text ends too early, a name in double quotes or } is missing',
    })
  })

  it('check works without a data folder, and creates none', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'headroom-webhook-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'schema.json'), '{"type": "array"}')
    const programs = new Programs(join(folder, 'no-home'), {})
    const said = await programs.run(['webhook', 'check', '-', '--schema', 'schema.json'], {
      cwd: folder,
      input: '[]',
    })
    expect([said, existsSync(programs.home)]).toEqual([
      { code: 0, output: 'The payload fits the schema.\n', errors: '' },
      false,
    ])
  })
})
