import { beforeEach, describe, expect, it } from 'vitest'
import { useConnect } from '../../../renderer/organizations/connect-store.ts'
import { useOrganizations } from '../../../renderer/organizations/organizations-store.ts'
import { acceptedKeys, openCore, settle, type TestCore } from '../core.ts'

let core: TestCore
beforeEach(async () => {
  core = await openCore({ organization: 'none' })
})

async function filled(key: string) {
  const connect = useConnect()
  await connect.start('jabra-plus')
  connect.draft = { ...connect.draft, name: 'Nordlys A/S' }
  connect.key = key
  return connect
}

describe('connecting an organization', () => {
  it('fills in addresses, family and versions from a preset', async () => {
    const connect = await filled('')
    expect(connect.draft).toMatchObject({
      managementUrl: 'https://api.cloud.jabra.com',
      metadataUrl: 'https://cdn.cloud.jabra.com',
      family: 'Jabra SDK V4',
      managementVersion: 2,
      metadataVersion: 18,
    })
  })

  it('keeps the typed name for another preset', async () => {
    const connect = await filled('')
    connect.usePreset('custom')
    expect(connect.draft).toMatchObject({ name: 'Nordlys A/S', preset: 'custom', managementUrl: '' })
  })

  it('keeps values typed and selected before the presets are loaded', async () => {
    const connect = useConnect()
    const known = connect.start('jabra-plus')
    connect.usePreset('custom')
    connect.draft = {
      ...connect.draft,
      name: 'Nordlys A/S',
      managementUrl: 'https://devices.nordlys.example',
    }
    connect.key = '0123456789abcdef'
    await known
    expect([connect.key, connect.draft]).toEqual([
      '0123456789abcdef',
      {
        ...useOrganizations().presetDraft('custom'),
        name: 'Nordlys A/S',
        managementUrl: 'https://devices.nordlys.example',
      },
    ])
  })

  it('sends nothing while a typed value is invalid', async () => {
    const connect = await filled('two words')
    expect(await core.finish(connect.connect())).toBe('stopped')
    expect(connect.problems).toEqual({ key: 'keySpaces' })
    expect([core.argumentsOf('organizations.add'), core.argumentsOf('organizations.setKey')]).toEqual([
      [],
      [],
    ])
  })

  it('stores the organization, then the key, sends one check, starts the first sync and clears the form', async () => {
    const connect = await filled(`  ${acceptedKeys.primary} `)
    expect(await core.finish(connect.connect())).toBe('connected')
    await settle()
    const [organization] = useOrganizations().organizations
    const primary = { id: organization?.id, slot: 'primary' }
    expect([
      core.argumentsOf('organizations.setKey'),
      core.argumentsOf('organizations.checkKey'),
      core.argumentsOf('sync.run').length,
    ]).toEqual([[{ ...primary, key: acceptedKeys.primary }], [primary], 1])
    expect(connect.key).toBe('')
  })

  it('needs only the key again after a refusal: the same organization is used, not a second one', async () => {
    const connect = await filled('wrong-key')
    expect(await core.finish(connect.connect())).toBe('refused')
    expect([connect.refused, connect.draft.name, useOrganizations().organizations.length]).toEqual([
      true,
      'Nordlys A/S',
      1,
    ])
    connect.key = acceptedKeys.primary
    connect.keyTouched()
    expect(connect.refused).toBe(false)
    expect(await core.finish(connect.connect())).toBe('connected')
    expect([
      core.argumentsOf('organizations.add').length,
      core.argumentsOf('organizations.update').length,
    ]).toEqual([1, 1])
  })

  it('stores the key without a connection as unchecked, and the organization can be opened', async () => {
    core.service.offline = true
    const connect = await filled(acceptedKeys.primary)
    expect(await core.finish(connect.connect())).toBe('unchecked')
    expect([connect.unchecked, connect.failure?.kind]).toEqual([true, 'offline'])
    expect(connect.openUnchecked()).toBe('connected')
    expect(connect.key).toBe('')
  })

  it('shows a rejection of the core at its field until that is touched', async () => {
    const { presets } = await core.handlers.organizations.list()
    const { draft } = presets.find(({ name }) => name === 'jabra-plus')!
    await core.handlers.organizations.add({ ...draft, name: 'NORDLYS A/S' })
    const connect = await filled(acceptedKeys.primary)
    expect(await core.finish(connect.connect())).toBe('stopped')
    expect(connect.fieldMessages).toEqual({ name: 'Another organization has this name already.' })
    connect.forgetMessage('name')
    expect(connect.fieldMessages).toEqual({})
  })

  it('forgets key and organization of the last attempt on a new start', async () => {
    const connect = await filled('wrong-key')
    await core.finish(connect.connect())
    await connect.start('custom')
    expect([connect.key, connect.createdId, connect.refused, connect.draft.name]).toEqual([
      '',
      null,
      false,
      '',
    ])
  })
})

describe('the demonstration', () => {
  it('is added once; then the existing one is used', async () => {
    const organizations = useOrganizations()
    const added = await organizations.openDemonstration()
    const again = await organizations.openDemonstration()
    await settle()
    const { organizations: all } = await core.handlers.organizations.list()
    expect([added.ok, again.ok, all.length]).toEqual([true, true, 1])
  })
})
