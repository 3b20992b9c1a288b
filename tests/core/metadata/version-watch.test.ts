import { describe, expect, it, test } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import { differencesBetween, openApiOf, unknownReads } from '../../../electron/core/metadata/open-api-json.ts'
import {
  openVersionWatch,
  rememberedVersions,
  sixMonthsAfter,
} from '../../../electron/core/metadata/version-watch.ts'
import { openWorkbook } from '../../../electron/core/storage/workbook.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { failureOf, metadataRig } from './fake-metadata-service.ts'

const get = (answer: Json, parameters: Json = []): Json => ({
  get: { parameters, responses: { 200: { content: { 'application/json': { schema: answer } } } } },
})
const vendor = { name: 'vendorId', in: 'path', schema: { type: 'integer', format: 'int32' } }
const product = { name: 'productId', in: 'path', schema: { type: 'integer', format: 'int32' } }
const releases = '/vendors/{vendorId}/products/{productId}/firmware-releases'
const firmware = { type: 'array', items: { $ref: '#/components/schemas/Firmware' } }
const description = (changes: { paths?: Record<string, Json>; firmware?: Json } = {}): Json => ({
  openapi: '3.0.1',
  paths: {
    '/telemetry': get({ type: 'object' }),
    [releases]: get(firmware, [vendor, product]),
    ...changes.paths,
  },
  components: {
    schemas: {
      Firmware: changes.firmware ?? {
        type: 'object',
        properties: { version: { type: 'string' } },
        required: ['version'],
      },
    },
  },
})
const read = (json: Json) => openApiOf(json)!
const changed = {
  type: 'object',
  properties: { version: { type: 'string' }, size: { type: 'integer' } },
  required: ['version'],
}

describe('two descriptions of the interface', () => {
  test.each<[string, Json, { operation: string; what: string }[]]>([
    ['the same', description(), []],
    ['more operations', description({ paths: { '/news': get({}) } }), []],
    [
      'words only',
      description({
        firmware: {
          description: 'new',
          required: ['version'],
          properties: { version: { type: 'string', title: 'v' } },
          type: 'object',
        },
      }),
      [],
    ],
    [
      'other names of parameters and a base before the path',
      {
        ...(description() as object),
        paths: {
          '/models/v/19/telemetry.json': get({ type: 'object' }),
          '/vendors/{v}/products/{p}/firmware-releases': get(firmware, [
            { ...vendor, name: 'v' },
            { ...product, name: 'p' },
          ]),
        },
      },
      [
        {
          operation: 'GetFirmwareReleasesByProductId',
          what: 'its parameters are now v: integer int32, p: integer int32',
        },
      ],
    ],
    [
      'an operation that no longer exists',
      { ...(description() as object), paths: { '/telemetry': get({ type: 'object' }) } },
      [{ operation: 'GetFirmwareReleasesByProductId', what: 'is no longer described' }],
    ],
    [
      'another response',
      description({ firmware: changed }),
      [{ operation: 'GetFirmwareReleasesByProductId', what: 'its answer has another shape' }],
    ],
    [
      'another type of a parameter',
      description({
        paths: { [releases]: get(firmware, [vendor, { ...product, schema: { type: 'string' } }]) },
      }),
      [
        {
          operation: 'GetFirmwareReleasesByProductId',
          what: 'its parameters are now vendorId: integer int32, productId: string',
        },
      ],
    ],
  ])('%s', (_, after, differences) => {
    expect(differencesBetween(read(description()), read(after))).toEqual(differences)
  })

  it('finds an operation that moved by its name', () => {
    const named = (path: string): Json => ({ paths: { [path]: { get: { operationId: 'GetTelemetry' } } } })
    expect(differencesBetween(read(named('/telemetry')), read(named('/telemetry/definitions')))).toEqual([
      { operation: 'GetTelemetry', what: 'its path is now /telemetry/definitions' },
    ])
  })

  it('ends at a schema that contains itself', () => {
    const ring = {
      paths: { '/telemetry': get({ $ref: '#/components/schemas/A' }) },
      components: { schemas: { A: { properties: { a: { $ref: '#/components/schemas/A' } } } } },
    }
    expect(differencesBetween(read(ring), read(ring))).toEqual([])
  })
})

describe('the API version watch', () => {
  async function watch(published: Readonly<Record<number, Json>>, inUse = 18) {
    const rig = metadataRig()
    for (const [version, json] of Object.entries(published))
      rig.service.set(`/models/v/${version}/openapi.json`, json)
    const home = new TemporaryHome()
    const workbook = await openWorkbook({
      clock: rig.clock,
      databases: home.databases,
      log: { write: () => undefined },
    })
    const start = () =>
      openVersionWatch({
        metadata: rig.start(),
        clock: rig.clock,
        log: { write: (level, message) => void rig.logged.push(`${level}: ${message}`) },
        inUse,
        seen: rememberedVersions(workbook, 'https://cdn.example'),
        timeZone: async () => 'UTC',
        changed: () => undefined,
      })
    return { ...rig, watch: start(), start, end: async () => (await workbook.close(), home.remove()) }
  }

  it('shows when it checked if there is no newer version, and keeps the description', async () => {
    const { watch: one, clock, end } = await watch({ 18: description() })
    expect(await one.check({ refresh: false })).toEqual({
      inUse: 18,
      newer: null,
      supportedUntilAt: null,
      firstSeen: null,
      checkedAt: clock.now(),
      openapiKeptAt: clock.now(),
      differences: [],
      deprecated: [],
      added: [],
      otherVersions: [],
    })
    await end()
  })

  it('names deprecated operations of both versions, and those that are new', async () => {
    const deprecated = { '/telemetry': { get: { deprecated: true, operationId: 'GetTelemetry' } } }
    const { watch: one, end } = await watch({
      18: description({ paths: deprecated }),
      19: description({
        paths: {
          ...deprecated,
          '/news': get({}),
          '/more/{id}': { get: { operationId: 'GetMore', deprecated: true }, post: {} },
        },
      }),
    })
    expect(await one.check({ refresh: false })).toMatchObject({
      deprecated: [
        { version: 18, operation: 'GetTelemetry' },
        { version: 19, operation: 'GetTelemetry' },
      ],
      added: [
        { operation: null, path: '/news' },
        { operation: 'GetMore', path: '/more/{id}' },
      ],
    })
    await end()
  })

  test.each<[Json, boolean]>([
    ['18.0', true],
    ['18', true],
    ['v18.1-beta', true],
    [' 18.0 ', true],
    [18, true],
    [null, true],
    ['17.0', false],
    ['180', false],
    ['1.18', false],
    ['latest', false],
  ])('a description that says %j is of version 18: %s', async (version, isOf) => {
    const { watch: one, end } = await watch({ 18: { ...(description() as object), info: { version } } })
    const { otherVersions } = await one.check({ refresh: false })
    expect(otherVersions).toEqual(isOf ? [] : [{ version: 18, says: version }])
    await end()
  })

  it('does not count a newer version whose description says that it is another', async () => {
    const of18 = { ...(description() as object), info: { version: '18.0' } }
    const { watch: one, end } = await watch({ 18: of18, 19: of18 })
    await one.look(new AbortController().signal)
    expect(await one.check({ refresh: false })).toMatchObject({
      newer: null,
      otherVersions: [{ version: 19, says: '18.0' }],
    })
    await end()
  })

  it('counts six months from the first sight of a newer version, even after later checks', async () => {
    const {
      watch: one,
      start,
      service,
      clock,
      end,
    } = await watch({ 18: description(), 19: description({ firmware: changed }) })
    const first = await one.check({ refresh: false })
    expect(first).toMatchObject({
      newer: 19,
      supportedUntilAt: sixMonthsAfter(clock.now()),
      firstSeen: { version: 19, at: clock.now() },
      differences: [{ operation: 'GetFirmwareReleasesByProductId' }],
    })
    await clock.advance(40 * 86_400_000)
    service.set('/models/v/20/openapi.json', description())
    expect(await start().check({ refresh: true })).toMatchObject({
      newer: 20,
      supportedUntilAt: first.supportedUntilAt,
      firstSeen: first.firstSeen,
      differences: [],
    })
    await end()
  })

  it.each([
    [[20], 20],
    [[19, 21], 21],
    [[21], null],
  ])('checks two versions ahead of the newest that responds: of %j it finds %s', async (answering, newer) => {
    const { watch: one, end } = await watch(
      Object.fromEntries([18, ...answering].map((version) => [version, description()])),
    )
    expect(await one.check({ refresh: false })).toMatchObject({ newer })
    await end()
  })

  it('uses the release day where it is known: 18 was released on 15 September 2026', async () => {
    const { watch: one, end } = await watch({ 17: description(), 18: description() }, 17)
    expect(await one.check({ refresh: false })).toMatchObject({
      inUse: 17,
      newer: 18,
      supportedUntilAt: Date.UTC(2027, 2, 15),
      firstSeen: null,
    })
    await end()
  })

  it('states the latest possible end if the version after the one in use may have been released before a known one', async () => {
    const { watch: one, clock, end } = await watch({ 16: description(), 18: description() }, 16)
    expect(await one.check({ refresh: false })).toMatchObject({
      inUse: 16,
      newer: 18,
      supportedUntilAt: Date.UTC(2027, 2, 15),
      firstSeen: { version: 18, at: clock.now() },
    })
    await one.look(new AbortController().signal)
    await clock.advance(100 * 86_400_000)
    expect(one.notes().join()).toContain('Metadata version 16 is supported until 15 Mar 2027 at the latest')
    await end()
  })

  it('without a connection shows the earlier result, or the reason if there is none', async () => {
    const { watch: one, service, clock, end } = await watch({ 18: description(), 19: description() })
    service.offline = true
    expect(await failureOf(one.check({ refresh: false }))).toMatchObject({ kind: 'offline' })
    service.offline = false
    const before = await one.check({ refresh: false })
    service.offline = true
    await clock.advance(2 * 86_400_000)
    expect(await one.check({ refresh: true })).toEqual(before)
    await end()
  })

  it('ends the search at a service that answers every version', async () => {
    const { watch: one, service, end } = await watch({})
    const anyVersion = Array.from({ length: 100 }, (_, index) => index + 18)
    for (const version of anyVersion) service.set(`/models/v/${version}/openapi.json`, description())
    expect(await one.check({ refresh: false })).toMatchObject({ newer: 38 })
    await end()
  })

  describe('as part of a sync', () => {
    const DAY = 86_400_000
    const signal = new AbortController().signal

    it('sends one request a day, for the next two versions in turn, until one answers', async () => {
      const { watch: one, service, clock, end } = await watch({ 18: description() })
      const asked: string[] = []
      for (let hours = 0; hours < 24 * 6; hours += 12) {
        if (hours === 24 * 3) service.set('/models/v/19/openapi.json', description())
        await one.look(signal)
        asked.push(...service.requests.splice(0).map(({ path }) => `${hours / 24} ${path}`))
        await clock.advance(DAY / 2)
      }
      expect(asked).toEqual([
        '0 /models/v/19/openapi.json',
        '1 /models/v/20/openapi.json',
        '2 /models/v/19/openapi.json',
        '3 /models/v/20/openapi.json',
        '4 /models/v/19/openapi.json',
      ])
      await end()
    })

    test.each<[string, (rig: Awaited<ReturnType<typeof watch>>) => void]>([
      ['the service cannot be reached', ({ service }) => void (service.offline = true)],
      [
        'the answer is not a description',
        ({ service }) => void service.set('/models/v/19/openapi.json', { message: 'soon' }),
      ],
    ])('never fails: %s', async (_, prepare) => {
      const rig = await watch({ 18: description() })
      prepare(rig)
      await rig.watch.look(signal)
      expect([rig.service.requests.length, rig.watch.notes(), rig.logged]).toEqual([1, [], []])
      await rig.end()
    })

    it('has a notice from 60 days before the end of the support, also after a restart', async () => {
      const { watch: one, start, service, clock, end } = await watch({ 18: description(), 19: description() })
      const said: string[] = []
      for (const [days, again] of [
        [0, one],
        [121, one],
        [1, start()],
        [60, one],
      ] as const) {
        await clock.advance(days * DAY)
        await again.look(signal)
        said.push(again.notes().join())
      }
      const seen = 'version 19 was first seen on 21 Nov 2026.'
      const advice = 'Another version can be set in the profile of the organization.'
      expect(said).toEqual([
        '',
        `Metadata version 18 is supported until 21 May 2027 at the latest; ${seen} ${advice}`,
        `Metadata version 18 is supported until 21 May 2027 at the latest; ${seen} ${advice}`,
        `The support of metadata version 18 ended on 21 May 2027 at the latest; ${seen} ${advice}`,
      ])
      expect(service.requests).toHaveLength(1)
      await end()
    })
  })

  it('does not accept a version with an invalid response', async () => {
    const { watch: one, end } = await watch({ 18: description(), 19: { message: 'soon' } })
    expect(await one.check({ refresh: false })).toMatchObject({ newer: null })
    await end()
  })

  test.each([
    ['2026-09-15', '2027-03-15'],
    ['2026-08-31', '2027-02-28'],
    ['2027-08-31', '2028-02-29'],
    ['2026-12-31', '2027-06-30'],
  ])('adds six months to %s: %s', (from, to) => {
    expect(new Date(sixMonthsAfter(Date.parse(from))).toISOString().slice(0, 10)).toBe(to)
  })
})

test('operations beyond the table are reads with text parameters; what no address can name is left out', () => {
  const paths = {
    '/news/{newsId}/items/{vendorId}': { get: { operationId: 'GetNews', parameters: [vendor] } },
    '/models/v/18/more.json': { get: {} },
    '/telemetry': get({}),
    '/Telemetry2': { get: { operationId: 'gettelemetry' } },
    '/reboot': { get: { operationId: 'RebootRoom' } },
    '/written': { post: {} },
    '/asked': {
      get: { parameters: [{ name: 'q', in: 'query', required: true }] },
    },
    '//other.example/x': get({}),
    '/../x': get({}),
    '/a?b=c': get({}),
    'https://other.example/y': get({}),
    '/{a}%2F..': get({}),
    '/again': { get: { operationId: 'GetNews' } },
  }
  expect(
    unknownReads(read({ paths })).map(({ name, method, path, parameters, effect }) => [
      name,
      `${method}${effect === null ? '' : ' writes'} ${path}`,
      parameters.map((one) => `${one.name} ${one.in} ${one.type}`),
    ]),
  ).toEqual([
    [
      'GetNews',
      'GET /models/v/{apiVersion}/news/{newsId}/items/{vendorId}',
      ['apiVersion path string', 'newsId path string', 'vendorId path string'],
    ],
    ['/more', 'GET /models/v/{apiVersion}/more', ['apiVersion path string']],
    ['/reboot', 'GET /models/v/{apiVersion}/reboot', ['apiVersion path string']],
    ['/again', 'GET /models/v/{apiVersion}/again', ['apiVersion path string']],
  ])
})
