import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { historyAtMost, openStoredCalls } from '../../../electron/core/explorer/call-rows.ts'
import { openWorkbook, type Workbook } from '../../../electron/core/storage/workbook.ts'
import { FakeClock } from '../../fake-clock.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { storeOrganization } from '../../stored-organization.ts'

let home: TemporaryHome
let workbook: Workbook
const open = (): Promise<Workbook> =>
  openWorkbook({ clock: new FakeClock(), databases: home.databases, log: { write: () => undefined } })
const addOrganization = (id: string): Promise<unknown> =>
  workbook.write((transaction) => storeOrganization(transaction, id))

beforeEach(async () => {
  home = new TemporaryHome()
  workbook = await open()
  await addOrganization('o1')
  await addOrganization('o2')
})
afterEach(async () => {
  await workbook.close()
  await home.remove()
})

const call = { operation: 'GetRoom', parameters: { groupId: 'g1' }, at: 1_000, status: 200 }

describe('the Explorer’s history', () => {
  it('is stored for each organization, newest first, and survives a restart', async () => {
    const stored = openStoredCalls(workbook, 'o1')
    await stored.note(call)
    await stored.note({ ...call, at: 2_000, status: null })
    await openStoredCalls(workbook, 'o2').note({ ...call, operation: 'GetTelemetry', parameters: {} })
    await workbook.close()
    workbook = await open()
    expect(await openStoredCalls(workbook, 'o1').history()).toEqual([
      { id: 2, name: '', ...call, at: 2_000, status: null },
      { id: 1, name: '', ...call },
    ])
  })

  it(`holds the last ${historyAtMost} calls`, async () => {
    const stored = openStoredCalls(workbook, 'o1')
    for (let at = 1; at <= historyAtMost + 3; at++) await stored.note({ ...call, at })
    const history = await stored.history()
    expect([history.length, history[0]?.at, history.at(-1)?.at]).toEqual([
      historyAtMost,
      historyAtMost + 3,
      4,
    ])
  })

  it('is removed with its organization; examples stay', async () => {
    const stored = openStoredCalls(workbook, 'o1')
    await stored.note(call)
    await stored.saveExample({ ...call, name: 'Room' })
    await workbook.write((transaction) => transaction.run("DELETE FROM organization WHERE id = 'o1'"))
    expect([await stored.history(), (await stored.examples()).map(({ name }) => name)]).toEqual([
      [],
      ['Room'],
    ])
  })
})

describe('examples', () => {
  it('are the same in every organization, by name; the same name replaces; one can be removed', async () => {
    const stored = openStoredCalls(workbook, 'o1')
    await stored.saveExample({ ...call, name: 'room' })
    await stored.saveExample({ ...call, name: 'Latest', operation: 'GetGnpSchemaVersions', parameters: {} })
    await stored.saveExample({ ...call, name: 'room', parameters: { groupId: 'g2' } })
    const other = openStoredCalls(workbook, 'o2')
    const examples = await other.examples()
    expect(examples.map(({ name, parameters, status }) => [name, parameters, status])).toEqual([
      ['Latest', {}, null],
      ['room', { groupId: 'g2' }, null],
    ])
    await other.removeExample(examples[1]!.id)
    expect((await stored.examples()).map(({ name }) => name)).toEqual(['Latest'])
  })
})
