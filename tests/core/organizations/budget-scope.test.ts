import { describe, expect, test } from 'vitest'
import { aDraft, aHome, primaryKey, secondaryKey } from './a-home.ts'

describe('calls share one budget', () => {
  test('for profiles with the same key in either slot, also after a restart; others are separate', async () => {
    const home = aHome()
    const first = await home.start()
    const ids: string[] = []
    for (const name of ['A', 'B', 'C']) ids.push((await first.organizations.add(aDraft({ name }))).id)
    const [a = '', b = '', c = ''] = ids
    await first.organizations.setKey({ id: a, slot: 'primary', key: primaryKey })
    await first.organizations.setKey({ id: b, slot: 'primary', key: secondaryKey })
    expect(await first.organizations.budgetScope(a)).not.toBe(await first.organizations.budgetScope(b))
    await first.organizations.setKey({ id: b, slot: 'secondary', key: primaryKey })
    await first.stop()
    const { organizations } = await home.start()
    const scopes = await Promise.all([a, b, c].map((id) => organizations.budgetScope(id)))
    expect({ same: scopes[0] === scopes[1], other: scopes[0] !== scopes[2] }).toEqual({
      same: true,
      other: true,
    })
  })

  test('under the scope of the first profile with the key, because that has a history; later profiles move to it', async () => {
    const { organizations } = await aHome().start()
    const ids: string[] = []
    for (const name of ['First', 'Newcomer', 'With the newcomer'])
      ids.push((await organizations.add(aDraft({ name }))).id)
    const [first = '', newcomer = '', withIt = ''] = ids
    await organizations.setKey({ id: first, slot: 'primary', key: primaryKey })
    for (const id of [newcomer, withIt])
      await organizations.setKey({ id, slot: 'primary', key: secondaryKey })
    const before = await organizations.budgetScope(first)
    await organizations.setKey({ id: newcomer, slot: 'secondary', key: primaryKey })
    expect(await Promise.all(ids.map((id) => organizations.budgetScope(id)))).toEqual([
      before,
      before,
      before,
    ])
  })

  test('for a key from the environment that another profile has stored', async () => {
    const home = aHome()
    const first = await home.start()
    const a = await first.organizations.add(aDraft({ name: 'A' }))
    const b = await first.organizations.add(aDraft({ name: 'B' }))
    await first.organizations.setKey({ id: a.id, slot: 'primary', key: primaryKey })
    await first.stop()
    const { organizations } = await home.start({ keyFromEnvironment: primaryKey })
    expect(await organizations.budgetScope(b.id)).toBe(await organizations.budgetScope(a.id))
  })

  test('without revealing the key in the scope', async () => {
    const { organizations } = await aHome().start()
    const { id } = await organizations.add(aDraft())
    const before = await organizations.budgetScope(id)
    await organizations.setKey({ id, slot: 'primary', key: primaryKey })
    expect(await organizations.budgetScope(id)).toBe(before)
  })
})
