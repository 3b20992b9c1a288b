import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { ExplorerResponse } from '../../../electron/contract/api/explorer.ts'
import { operations } from '../../../electron/contract/operations.ts'
import { everyOperation, type EveryOperation } from '../../every-operation.ts'
import { failureOf } from '../metadata/fake-metadata-service.ts'

let every: EveryOperation
beforeAll(async () => {
  every = await everyOperation()
})
afterAll(() => every.close())
beforeEach(() => every.core.handlers.writes.lockNow())

const run = (operation: string, unlock = false): Promise<ExplorerResponse> =>
  every.explorer.run({ operation, parameters: every.parametersOf(operation), unlock })

const reading = operations.filter(({ effect }) => effect === null).map(({ name }) => name)
const writing = operations.filter(({ effect }) => effect !== null).map(({ name }) => name)

describe('every documented operation against the demonstration', () => {
  test.each(reading)('%s returns data, in the specified form if there is one', async (name) => {
    const { status, failure, unknownMembers, missingMembers, body, cut } = await run(name)
    expect({ status, failure, unknownMembers, missingMembers, cut }).toEqual({
      status: 200,
      failure: null,
      unknownMembers: [],
      missingMembers: [],
      cut: false,
    })
    expect(JSON.parse(body)).toBeTypeOf('object')
  })

  test.each(writing)('%s is rejected while actions are locked, and nothing is sent', async (name) => {
    const before = every.service.counts().arrivals
    expect(await failureOf(run(name))).toEqual({ kind: 'writes-locked' })
    expect(every.service.counts().arrivals).toEqual(before)
  })
})

describe('a confirmed operation that writes', () => {
  test('is sent, and the second one within the minute is not', async () => {
    const operation = 'RebootRoom'
    const first = await run(operation, true)
    const again = await run(operation, true)
    expect([first.status, first.report?.outcome, again.status, again.report?.outcome]).toEqual([
      200,
      'accepted',
      null,
      'waiting',
    ])
    expect(again.report?.earliestAt).toBeGreaterThan(first.startedAt + 60_000)
    expect(every.service.counts().arrivals['RebootRoom']).toEqual({ '200': 1 })
    const { lines } = await every.core.handlers.journal.list({
      where: '',
      subjectId: null,
      start: 0,
      count: 10,
    })
    expect(lines.map((line) => [line.operation, line.outcome, line.status, line.target.of])).toContainEqual([
      'RebootRoom',
      'accepted',
      200,
      'room',
    ])
  })
})

describe('versions of the management interface', () => {
  test('allow calls of both device lists, regardless of the profile', async () => {
    const { organizations, app } = every.core.handlers
    const id = (await app.status()).organizationId!
    onTestFinished(async () => void (await organizations.use({ id })))
    await every.add({ name: 'Nordlys by version 1', managementVersion: 1 })
    const { explorer: other } = await every.core.sessions.current()
    const statuses = ['ListDevices', 'ListDevicesV1'].map(
      async (operation) => (await other.run({ operation, parameters: {}, unlock: false })).status,
    )
    expect(await Promise.all(statuses)).toEqual([200, 200])
  })
})
