import { expect, test } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import { storedFact } from '../../../electron/core/organizations/organizations-rows.ts'
import { aDraft, aHome, primaryKey, secondaryKey } from './a-home.ts'
import { failureOf } from '../../failure-of.ts'

test('a removed organization disappears at once, its name is free, and its keys are removed from the keychain', async () => {
  const home = aHome()
  const { organizations } = await home.start()
  const { id } = await organizations.add(aDraft())
  await organizations.setKey({ id, slot: 'primary', key: primaryKey })
  await organizations.setKey({ id, slot: 'secondary', key: secondaryKey })
  await organizations.remove({ id })
  expect((await organizations.list()).organizations).toEqual([])
  expect(home.keychain.entries.size).toBe(0)
  expect(await failureOf(() => organizations.get(id))).toMatchObject({ kind: 'not-found' })
  expect((await organizations.add(aDraft())).name).toBe('Aarhus')
})

test('a keychain that does not respond delays nothing, and the entry is removed when it responds', async () => {
  const home = aHome()
  const { organizations } = await home.start()
  const { id } = await organizations.add(aDraft())
  await organizations.setKey({ id, slot: 'primary', key: primaryKey })
  const { promise: answer, resolve: answers } = Promise.withResolvers<void>()
  const remove = home.keychain.remove.bind(home.keychain)
  home.keychain.remove = async (account) => {
    await answer
    return remove(account)
  }
  const removing = organizations.remove({ id })
  let returned = false
  void removing.then(() => (returned = true))
  for (let passed = 0; passed < 3_000 && !returned; passed += 100) await home.clock.advance(100)
  await removing
  expect([(await organizations.list()).organizations, home.keychain.entries.size]).toEqual([[], 1])
  answers()
  await organizations.close()
  expect(home.keychain.entries.size).toBe(0)
})

test('devices of lists are removed piece by piece too, when none has a tag', async () => {
  const home = aHome()
  const { organizations, workbook } = await home.start()
  const { id } = await organizations.add(aDraft())
  await workbook.write((transaction) => {
    transaction.run(
      `INSERT INTO device_mark (organization_id, kind, word, device_id, name, created_at) VALUES (?, 'list', 'mine', 'd1', 'mine', 1)`,
      [id],
    )
  })
  await organizations.remove({ id })
  const pieces: number[] = []
  await organizations.finishRemoval(id, (rows) => pieces.push(rows))
  expect([pieces, await workbook.query('SELECT device_id FROM device_mark', [])]).toEqual([[1, 0], []])
})

test('a fact is stored once, and stays', async () => {
  const { workbook } = await aHome().start()
  const stored = await workbook.write((transaction) =>
    ['first', 'second'].map((value) => storedFact(transaction, 'a-fact', value)),
  )
  expect(stored).toEqual(['first', 'first'])
})

test('the next start removes the rest piece by piece; the journal stays', async () => {
  const home = aHome()
  const first = await home.start()
  const { id } = await first.organizations.add(aDraft())
  const other = await first.organizations.add(aDraft({ name: 'Other' }))
  await first.workbook.write((transaction) => {
    for (const organization of [id, other.id]) {
      for (let device = 0; device < 2_500; device++)
        transaction.run(
          `INSERT INTO device_mark (organization_id, kind, word, device_id, name) VALUES (?, 'tag', 'shelf', ?, 'shelf')`,
          [organization, `d${device}`],
        )
    }
    transaction.run(
      `INSERT INTO journal_begin (organization_id, organization_name, who, operation, target_of, target_id, device_ids, started_at, words)
       VALUES (?, 'Aarhus', 'me', 'RebootRoom', 'room', 'r', '[]', 1, '')`,
      [id],
    )
  })
  await first.organizations.remove({ id })
  const pieces: number[] = []
  const stopping = first.organizations.finishRemoval(id, (rows) => {
    pieces.push(rows)
    throw new Failed({ kind: 'cancelled' })
  })
  expect(await failureOf(() => stopping)).toEqual({ kind: 'cancelled' })
  await first.stop()

  const { organizations, workbook } = await home.start()
  expect(await organizations.removed()).toEqual([id])
  expect((await organizations.list()).organizations.map(({ name }) => name)).toEqual(['Other'])
  expect(await organizations.rowsOf(id)).toBe(1_500)
  await organizations.finishRemoval(id, (rows) => pieces.push(rows))
  expect(pieces).toEqual([1_000, 1_000, 500, 0])
  expect(await organizations.removed()).toEqual([])
  const count = async (table: string) =>
    (await workbook.query(`SELECT organization_id AS id, count(*) AS n FROM ${table} GROUP BY 1`)).map(
      (row) => ({ ...row }),
    )
  expect([await count('device_mark'), await count('journal_begin')]).toEqual([
    [{ id: other.id, n: 2_500 }],
    [{ id, n: 1 }],
  ])
  expect((await workbook.query('SELECT id FROM organization')).map((row) => row['id'])).toEqual([other.id])
})
