import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import { FakeClock } from '../../fake-clock.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { Workshop, picked } from './a-workshop.ts'

let workshop: Workshop
beforeEach(async () => {
  workshop = await Workshop.open('aarhus', 'berlin')
  await workshop.tags.change('aarhus', { selection: picked('D1', 'D2'), add: ['spare'], remove: [] })
  await workshop.tags.change('berlin', { selection: picked('D1'), add: ['Berlin'], remove: [] })
})
afterEach(() => workshop.close())

/**
 * The state that remains after a run that ended between writing workbook and store, or after another program
 * that could not write the store.
 */
const onlyInWorkbook = (stamp: string): Promise<unknown> =>
  workshop.workbook.write((transaction) => {
    transaction.run(`INSERT INTO tag (organization_id, word, name) VALUES ('aarhus', 'broken', 'Broken')`)
    transaction.run(
      `INSERT INTO tagged_device (organization_id, word, device_id) VALUES ('aarhus', 'broken', 'D2')`,
    )
    transaction.run(`DELETE FROM tagged_device WHERE organization_id = 'aarhus' AND device_id = 'D1'`)
    transaction.run(`UPDATE device_mark_stamp SET stamp = ? WHERE organization_id = 'aarhus'`, [stamp])
  })
const after = ['tag broken (Broken): D2', 'tag spare (spare): D2']

describe('the copy of tags for filters', () => {
  test('is synchronized at the next start', async () => {
    await onlyInWorkbook('another')
    await workshop.openTags()
    expect(await workshop.marks('aarhus')).toEqual(after)
    expect(await workshop.marks('berlin')).toEqual(['tag berlin (Berlin): D1'])
  })

  test('is synchronized at the next query after another program changed the workbook, with an event', async () => {
    workshop.reported.length = 0
    await onlyInWorkbook('another')
    expect(await workshop.tags.list('aarhus')).toEqual([
      { name: 'Broken', count: 1 },
      { name: 'spare', count: 1 },
    ])
    expect({ marks: await workshop.marks('aarhus'), reported: workshop.reported }).toEqual({
      marks: after,
      reported: ['aarhus'],
    })
  })

  test('is synchronized before the next change', async () => {
    await onlyInWorkbook('another')
    await workshop.tags.change('aarhus', { selection: picked('D3'), add: ['spare'], remove: [] })
    expect(await workshop.marks('aarhus')).toEqual(['tag broken (Broken): D2', 'tag spare (spare): D2 D3'])
  })

  test('is filled in a new store', async () => {
    await workshop.tags.paste('aarhus', { text: 'x', keep: true, name: null })
    const other = new TemporaryHome()
    const store = await other.openStore(new FakeClock())
    await workshop.openTags(store)
    const rows = await store.database.query(
      'SELECT organization_id, kind, word, device_id, name FROM device_mark',
    )
    expect(rows.map((row) => Object.values(row).join(' '))).toEqual([
      'aarhus tag spare D1 spare',
      'aarhus tag spare D2 spare',
      'berlin tag berlin D1 Berlin',
    ])
    await other.remove()
  })

  test('is complete with more tags than one batch', async () => {
    const ids = Array.from({ length: 4_500 }, (_, index) => `E${String(index).padStart(5, '0')}`)
    await workshop.tags.change('aarhus', { selection: picked(...ids), add: ['many', 'spare'], remove: [] })
    await workshop.store.database.write((transaction) => {
      transaction.run(`DELETE FROM device_mark WHERE device_id > 'E02'`)
      transaction.run(
        `INSERT INTO device_mark (organization_id, kind, word, device_id, name) VALUES ('aarhus', 'tag', 'zz', 'D1', 'zz'), ('aarhus', 'list', 'aa', 'D1', 'aa')`,
      )
      transaction.run(`UPDATE device_mark_stamp SET stamp = 'older'`)
    })
    await workshop.openTags()
    const rows = await workshop.store.database.query(
      `SELECT word, count(*) AS n FROM device_mark WHERE organization_id = 'aarhus' GROUP BY kind, word`,
    )
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { word: 'many', n: 4_500 },
      { word: 'spare', n: 4_502 },
    ])
  })

  test('drops a removed organization', async () => {
    await workshop.removeOrganization('aarhus')
    await workshop.openTags()
    expect(await workshop.marks('aarhus')).toEqual([])
    expect(
      (await workshop.store.database.query('SELECT organization_id FROM device_mark_stamp')).map(
        (row) => row['organization_id'],
      ),
    ).toEqual(['berlin'])
    const left = await workshop.workbook.query(
      `SELECT organization_id FROM tag UNION ALL SELECT organization_id FROM tagged_device`,
    )
    expect(left.map((row) => row['organization_id'])).toEqual(['berlin', 'berlin'])
  })

  test('is deleted with the data of an organization', async () => {
    await workshop.store.forget('aarhus')
    expect({ aarhus: await workshop.marks('aarhus'), berlin: await workshop.marks('berlin') }).toEqual({
      aarhus: [],
      berlin: ['tag berlin (Berlin): D1'],
    })
  })

  test('does not prevent a change when it cannot be written, and is synchronized later', async () => {
    let full = true
    const { database } = workshop.store
    const perform: typeof database.perform = (procedure, input) =>
      full
        ? Promise.reject(
            new Failed({
              kind: 'cache-unusable',
              file: 'store.sqlite',
              reason: 'disk-full',
              message: 'The disk is full.',
            }),
          )
        : database.perform(procedure, input)
    const tags = await workshop.openTags({ ...workshop.store, database: { ...database, perform } })
    expect(
      (await tags.change('aarhus', { selection: picked('D3'), add: ['spare'], remove: [] })).changed,
    ).toBe(1)
    expect({ tags: await tags.list('aarhus'), marks: await workshop.marks('aarhus') }).toEqual({
      tags: [{ name: 'spare', count: 3 }],
      marks: ['tag spare (spare): D1 D2'],
    })
    full = false
    await tags.list('aarhus')
    expect(await workshop.marks('aarhus')).toEqual(['tag spare (spare): D1 D2 D3'])
  })
})
