import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConnectedCore, type ConnectedCore } from '../../connected-core.ts'

let opened: ConnectedCore

beforeAll(async () => {
  opened = await openConnectedCore({ devices: 6, rooms: 2 })
  await opened.add()
  await opened.core.handlers.sync.run()
})
afterAll(() => opened.close())

const metadataCalls = (): number =>
  Object.entries(opened.service.counts().arrivals)
    .filter(([operation]) => /Dfu|Recovery/i.test(operation))
    .flatMap(([, answers]) => Object.values(answers))
    .reduce((sum, count) => sum + count, 0)

test('the plan sends no request to the service', async () => {
  const before = metadataCalls()
  expect([(await opened.core.handlers.offline.plan()).products > 0, metadataCalls() - before]).toEqual([
    true,
    0,
  ])
})

test('after preparing, an id never looked up before is found without a connection', async () => {
  const { handlers } = opened.core
  const report = await handlers.offline.prepare()
  expect([report.failure, report.prepared > 0]).toEqual([null, true])
  await opened.service.stop()
  const answer = await handlers.metadata.recovery({ text: '0x24B9' })
  expect([answer.firmware?.version, answer.fromCache, answer.failed]).toEqual(['1.5.7', true, []])
})
