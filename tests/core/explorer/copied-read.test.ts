import { describe, expect, it, test } from 'vitest'
import type { ExplorerResponse } from '../../../electron/contract/api/explorer.ts'
import type { WireResponse, WireFault, WireRequest } from '../../../electron/core/platform.ts'
import { answer } from '../../fake-transport.ts'
import { failureOf } from '../metadata/fake-metadata-service.ts'
import { explorerRig } from './explorer-rig.ts'

const telemetry = { operation: 'GetTelemetry', parameters: {}, unlock: false }
const body = '{"callSummary": {},\n "odd":1}'
const offline: WireFault = { kind: 'fault', sent: 'no', reason: 'offline', message: 'no network' }
const hour = 3_600_000

/** A service that returns this document and its validators, and 304 to matching validators. */
function service(headers: Record<string, string> = { etag: '"1"' }) {
  const state: { answer: (request: WireRequest) => WireResponse | WireFault } = {
    answer: (request) =>
      request.headers['if-none-match'] === headers['etag']
        ? answer(304, '', headers)
        : answer(200, body, headers),
  }
  return { state, rig: () => explorerRig((request) => state.answer(request)) }
}
const visible = ({ status, body: text, copy = null, failure = null }: ExplorerResponse) => ({
  status,
  text,
  because: copy?.because ?? null,
  failure: failure?.kind ?? null,
})

describe('a call on the command line', () => {
  it('revalidates its copy, and prints the copy when nothing changed', async () => {
    const { rig } = service()
    const { explorer, transport, clock } = await rig()
    const first = await explorer.run(telemetry, { copies: 'revalidate' })
    const keptAt = clock.now()
    await clock.advance(hour)
    const second = await explorer.run(telemetry, { copies: 'revalidate' })
    expect([visible(first), visible(second), second.copy?.observedAt]).toEqual([
      { status: 200, text: body, because: null, failure: null },
      { status: 304, text: body, because: 'unchanged', failure: null },
      keptAt,
    ])
    expect(transport.attempts.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"1"'])
  })

  it('prints the copy without a connection, with the age of the last validation', async () => {
    const { rig, state } = service()
    const { explorer, clock } = await rig()
    await explorer.run(telemetry, { copies: 'revalidate' })
    await clock.advance(hour)
    await explorer.run(telemetry, { copies: 'revalidate' })
    const confirmedAt = clock.now()
    await clock.advance(hour)
    state.answer = () => offline
    const run = await explorer.run(telemetry, { copies: 'revalidate' })
    expect([visible(run), run.copy?.observedAt]).toEqual([
      { status: null, text: body, because: 'not-reached', failure: null },
      confirmedAt,
    ])
  })

  test.each<[string, WireFault]>([
    ['no response in time', { ...offline, reason: 'timeout' }],
    ['a broken connection', { ...offline, sent: 'maybe', reason: 'broken' }],
  ])('%s: prints the copy', async (_, fault) => {
    const { rig, state } = service()
    const { explorer } = await rig()
    await explorer.run(telemetry, { copies: 'revalidate' })
    state.answer = () => fault
    expect(visible(await explorer.run(telemetry, { copies: 'revalidate' }))).toMatchObject({
      text: body,
      because: 'not-reached',
    })
  })

  test.each<[string, WireResponse, string]>([
    ['an error of the service', answer(500, '{"message":"boom"}'), 'service-unavailable'],
    ['a document that is withdrawn', answer(404, 'gone'), 'not-found'],
    [
      'a page in place of JSON',
      answer(200, '<!doctype html><html></html>', { 'content-type': 'text/html' }),
      'unreadable-answer',
    ],
  ])('%s is shown as received, and keeps the copy', async (_, came, failure) => {
    const { rig, state } = service()
    const { explorer } = await rig()
    await explorer.run(telemetry, { copies: 'revalidate' })
    state.answer = () => came
    expect(visible(await explorer.run(telemetry, { copies: 'revalidate' }))).toEqual({
      status: came.status,
      text: came.body,
      because: null,
      failure,
    })
    expect(visible(await explorer.run(telemetry, { copies: 'only' }))).toMatchObject({
      text: body,
      because: 'not-asked',
    })
  })

  it('sends nothing with --kept, and adds nothing to the history', async () => {
    const { rig } = service()
    const { explorer, transport } = await rig()
    expect(await failureOf(explorer.run(telemetry, { copies: 'only' }))).toMatchObject({
      kind: 'not-found',
      what: 'a cached copy of GetTelemetry',
    })
    await explorer.run(telemetry, { copies: 'revalidate' })
    const before = [transport.attempts.length, (await explorer.history()).length]
    expect(visible(await explorer.run(telemetry, { copies: 'only' }))).toEqual({
      status: null,
      text: body,
      because: 'not-asked',
      failure: null,
    })
    expect([transport.attempts.length, (await explorer.history()).length]).toEqual(before)
  })

  it('keeps one copy for each address', async () => {
    const { rig } = service()
    const { explorer } = await rig()
    await explorer.run(telemetry, { copies: 'revalidate' })
    const other = { ...telemetry, parameters: { apiVersion: '17' } }
    expect(await failureOf(explorer.run(other, { copies: 'only' }))).toMatchObject({ kind: 'not-found' })
  })

  it('requests the whole document when 304 refers to another version', async () => {
    const { rig, state } = service()
    const { explorer, transport } = await rig()
    await explorer.run(telemetry, { copies: 'revalidate' })
    state.answer = (request) =>
      request.headers['if-none-match'] === undefined
        ? answer(200, '[]', { etag: '"2"' })
        : answer(304, '', { etag: '"2"' })
    expect(visible(await explorer.run(telemetry, { copies: 'revalidate' }))).toMatchObject({
      status: 200,
      text: '[]',
      because: null,
    })
    expect(transport.attempts).toHaveLength(3)
  })

  it('reports findings in a copy too', async () => {
    const { rig } = service()
    const { explorer } = await rig()
    await explorer.run(telemetry, { copies: 'revalidate' })
    expect((await explorer.run(telemetry, { copies: 'only' })).unknownMembers).toEqual(['odd'])
  })

  it('prints nothing for 204 and caches nothing', async () => {
    const { rig, state } = service()
    const { explorer } = await rig()
    state.answer = () => answer(204, '')
    expect(visible(await explorer.run(telemetry, { copies: 'revalidate' }))).toEqual({
      status: 204,
      text: '',
      because: null,
      failure: null,
    })
    expect(await failureOf(explorer.run(telemetry, { copies: 'only' }))).toMatchObject({ kind: 'not-found' })
  })
})

it('in the window shows the response and caches nothing', async () => {
  const { rig } = service()
  const { explorer, transport } = await rig()
  await explorer.run(telemetry)
  await explorer.run(telemetry)
  expect(transport.attempts.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined])
  expect(await failureOf(explorer.run(telemetry, { copies: 'only' }))).toMatchObject({ kind: 'not-found' })
})
