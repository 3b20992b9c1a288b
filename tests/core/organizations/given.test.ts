import { beforeEach, describe, expect, it } from 'vitest'
import { createCore, type Core } from '../../../electron/core/app.ts'
import { failureOf } from '../../failure-of.ts'
import { FakePolicy } from '../../fake-policy.ts'
import { fakePlatform, type FakePlatform } from '../../fake-platform.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { customDraft } from '../../add-organization.ts'

const given = {
  name: 'Nordlys',
  managementUrl: 'https://api.cloud.jabra.com',
  metadataUrl: 'https://cdn.cloud.jabra.com',
}
const { file } = FakePolicy
const key = 'a1b2c3d4e5f60718293a4b5c6d7e8f90'

let home: TemporaryHome
let core: Core | null
let platform: FakePlatform | null
beforeEach(() => {
  home = new TemporaryHome()
  core = null
  platform = null
  return async () => {
    await core?.close()
    await home.remove()
  }
})
/** The next start of the program with this policy. */
async function start(document: object | string | null): Promise<Core> {
  await core?.close()
  const next = fakePlatform(home, { policySource: new FakePolicy(document) })
  // The keychain outlives the program.
  platform = { ...next, keychain: platform?.keychain ?? next.keychain }
  core = await createCore(platform)
  return core
}
const listed = async (): Promise<readonly unknown[]> =>
  (await core!.handlers.organizations.list()).organizations.map(
    ({ name, preset, managementUrl, current, setByPolicy, keys }) => [
      name,
      preset,
      managementUrl,
      { current, setByPolicy, key: keys.some(({ set }) => set) },
    ],
  )
const own = { name: 'Own', managementUrl: 'https://own.example', metadataUrl: 'https://own.example' }

describe('organizations of a policy', () => {
  it('are added at start with what the preset of their address knows, and stay added', async () => {
    await start({ organizations: [given] })
    await start({ organizations: [given] })
    expect(await listed()).toEqual([
      ['Nordlys', 'jabra-plus', given.managementUrl, { current: true, setByPolicy: true, key: false }],
    ])
  })
  it('stand beside others, which can be added and stay current', async () => {
    const { handlers } = await start(null)
    await handlers.organizations.add({ ...customDraft, ...own })
    await start({ organizations: [given] })
    expect(await listed()).toEqual([
      ['Own', 'custom', own.managementUrl, { current: true, setByPolicy: false, key: false }],
      ['Nordlys', 'jabra-plus', given.managementUrl, { current: false, setByPolicy: true, key: false }],
    ])
  })
  it('take over one of the same name; another address asks for its key again', async () => {
    const { handlers } = await start(null)
    const { id } = await handlers.organizations.add({ ...customDraft, ...own, name: 'nordlys ' })
    await handlers.organizations.setKey({ id, slot: 'primary', key })
    await start({ organizations: [given] })
    expect(await listed()).toEqual([
      ['nordlys', 'jabra-plus', given.managementUrl, { current: true, setByPolicy: true, key: false }],
    ])
  })
  it('cannot be changed, renamed or removed, and have no second one of their name', async () => {
    const { handlers } = await start({ organizations: [given] })
    const { id } = await handlers.organizations.current()
    const draft = { ...customDraft, ...given }
    const refused = { kind: 'policy', rule: 'organization', file, detail: 'Nordlys' }
    expect([
      await failureOf(handlers.organizations.update({ id, draft: { ...draft, name: 'Other' } })),
      await failureOf(handlers.organizations.remove({ id })),
      await failureOf(handlers.organizations.add({ ...draft, name: 'NORDLYS' })),
    ]).toEqual([
      refused,
      refused,
      { kind: 'invalid', field: 'name', message: 'Another organization has this name already.' },
    ])
  })
  it('may have keys, which stay', async () => {
    const { handlers } = await start({ organizations: [given] })
    const { id } = await handlers.organizations.current()
    await handlers.organizations.setKey({ id, slot: 'primary', key })
    await start({ organizations: [given] })
    expect(await listed()).toEqual([
      ['Nordlys', 'jabra-plus', given.managementUrl, { current: true, setByPolicy: true, key: true }],
    ])
  })
  it('that a policy names no more are like others', async () => {
    await start({ organizations: [given] })
    const { handlers } = await start(null)
    const { id } = await handlers.organizations.current()
    await handlers.organizations.remove({ id })
    expect(await listed()).toEqual([])
  })
  it('are not added by a policy that is locked', async () => {
    await start({ organizations: [given], unheardOf: true })
    expect(await listed()).toEqual([])
  })
})

describe('an organization of a person', () => {
  it.each([
    [{ managementUrl: 'https://evil.example' }, 'evil.example'],
    [{ metadataUrl: 'https://api.example.com.evil.example' }, 'api.example.com.evil.example'],
    [{ managementUrl: 'http://127.0.0.1:8080' }, '127.0.0.1'],
  ])('with %j is refused where only other hosts are allowed', async (addresses, host) => {
    const { handlers } = await start({ allowedHosts: ['api.example.com'] })
    const allowed = { managementUrl: 'https://api.example.com', metadataUrl: 'https://api.example.com' }
    const draft = { ...customDraft, name: 'Own', ...allowed }
    const { id } = await handlers.organizations.add(draft)
    const refused = { kind: 'policy', rule: 'host', file, detail: host }
    expect([
      await failureOf(handlers.organizations.add({ ...draft, name: 'Other', ...addresses })),
      await failureOf(handlers.organizations.update({ id, draft: { ...draft, ...addresses } })),
      await listed(),
    ]).toEqual([
      refused,
      refused,
      [['Own', 'custom', allowed.managementUrl, { current: true, setByPolicy: false, key: false }]],
    ])
  })
})
