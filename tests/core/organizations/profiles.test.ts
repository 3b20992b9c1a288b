import { describe, expect, test } from 'vitest'
import { assumedValues } from '../../../electron/contract/organization.ts'
import { observedTemplates } from '../../../electron/contract/template.ts'
import { presets } from '../../../electron/core/organizations/presets.ts'
import { aDraft, aHome } from './a-home.ts'
import { failureOf } from '../../failure-of.ts'

describe('names', () => {
  test.each([
    ['', 'Enter a name for the organization.'],
    ['   ', 'Enter a name for the organization.'],
    ['x'.repeat(81), 'The name is longer than 80 characters.'],
    ['two\nlines', 'The name contains a line break or another control character.'],
    ['AARHUS', 'Another organization has this name already.'],
    [' aarhus ', 'Another organization has this name already.'],
    ['Ａarhus', 'Another organization has this name already.'],
  ])('%j is rejected: %s', async (name, message) => {
    const { organizations } = await aHome().start()
    await organizations.add(aDraft())
    expect(await failureOf(() => organizations.add(aDraft({ name })))).toEqual({
      kind: 'invalid',
      field: 'name',
      message,
    })
    expect((await organizations.list()).organizations).toHaveLength(1)
  })

  test('of 80 characters are accepted, and an update keeps them', async () => {
    const { organizations } = await aHome().start()
    const name = '𝄞'.repeat(80)
    const { id } = await organizations.add(aDraft({ name }))
    expect((await organizations.update({ id, draft: aDraft({ name, vendorId: 1 }) })).vendorId).toBe(1)
    const other = await organizations.add(aDraft({ name: 'Other' }))
    expect(await failureOf(() => organizations.update({ id: other.id, draft: aDraft({ name }) }))).toEqual({
      kind: 'invalid',
      field: 'name',
      message: 'Another organization has this name already.',
    })
  })
})

describe('addresses', () => {
  const overHttp =
    'The address must begin with https://: over http the subscription key could be read on the way. http is allowed for this computer only.'

  test.each([
    ['https://management.example/', 'https://management.example'],
    ['  https://management.example/base///  ', 'https://management.example/base'],
    ['HTTPS://Management.Example:8443/Base', 'https://management.example:8443/Base'],
    ['http://localhost:4100', 'http://localhost:4100'],
    ['http://127.0.0.1:4100/', 'http://127.0.0.1:4100'],
    ['http://127.8.9.10', 'http://127.8.9.10'],
    ['http://[::1]:4100', 'http://[::1]:4100'],
    ['http://0x7f000001:80', 'http://127.0.0.1'],
    ['http://service.localhost:4100', 'http://service.localhost:4100'],
  ])('%s is stored as %s', async (typed, stored) => {
    const { organizations } = await aHome().start()
    const added = await organizations.add(aDraft({ managementUrl: typed, metadataUrl: typed }))
    expect([added.managementUrl, added.metadataUrl]).toEqual([stored, stored])
    expect(await organizations.addresses(added.id)).toEqual({ managementUrl: stored, metadataUrl: stored })
  })

  test.each([
    ['', 'Enter an address that begins with https://.'],
    ['management.example', 'The address must begin with https://.'],
    ['localhost:4100', 'The address must begin with https://.'],
    ['ftp://management.example', 'The address must begin with https://.'],
    ['file:///etc/passwd', 'The address must begin with https://.'],
    ['javascript:alert(1)', 'The address must begin with https://.'],
    ['https://', 'This is not an address: check the host name and the port.'],
    ['https://host:99999', 'This is not an address: check the host name and the port.'],
    ['https://ho st', 'The address contains a space, a line break or a backslash.'],
    ['https://ho\tst', 'The address contains a space, a line break or a backslash.'],
    ['https:\\\\host', 'The address contains a space, a line break or a backslash.'],
    ['https://user@host', 'The address must not contain a user name or a password.'],
    ['https://user:word@host', 'The address must not contain a user name or a password.'],
    ['https://@host', 'The address must not contain a user name or a password.'],
    ['https://host/?', 'The address must end before the question mark: a query cannot be part of it.'],
    [
      'https://host/path?key=value',
      'The address must end before the question mark: a query cannot be part of it.',
    ],
    ['https://host/#part', 'The address must end before the # sign: a fragment cannot be part of it.'],
    ['https://host/' + 'x'.repeat(2_000), 'The address is longer than 2,000 characters.'],
    ['http://management.example', overHttp],
    ['http://localhost.example', overHttp],
    ['http://127.0.0.1.example', overHttp],
    ['http://0.0.0.0', overHttp],
    ['http://10.0.0.1', overHttp],
    ['http://[::2]', overHttp],
    ['http://[::ffff:127.0.0.1]', overHttp],
  ])('%s is rejected for either interface: %s', async (typed, message) => {
    const { organizations } = await aHome().start()
    for (const field of ['managementUrl', 'metadataUrl'] as const) {
      expect(await failureOf(() => organizations.add(aDraft({ [field]: typed })))).toEqual({
        kind: 'invalid',
        field,
        message,
      })
    }
  })
})

test('templates are stored in plain form, an empty one as none, with the requirements of a reboot', async () => {
  const home = aHome()
  const first = await home.start()
  const templates = {
    ...observedTemplates,
    deviceSettings: '  ',
    devicesWithSettings: ' post   /devices/all ',
    firmwareRead: 'GET /f/{deviceId}',
  }
  const added = await first.organizations.add(aDraft({ templates, rebootBy: 'room-id' }))
  await first.stop()
  const { organizations } = await home.start()
  const stored = {
    ...observedTemplates,
    deviceSettings: null,
    devicesWithSettings: 'POST /devices/all',
    firmwareRead: 'GET /f/{deviceId}',
  }
  expect(organizations.get(added.id)).toMatchObject({ templates: stored, rebootBy: 'room-id' })
  const changed = await organizations.update({ id: added.id, draft: aDraft() })
  expect(changed).toMatchObject({ templates: observedTemplates, rebootBy: 'group-id' })
})

test.each(presets)('the templates of the preset $name are valid', async ({ draft }) => {
  const { organizations } = await aHome().start()
  const added = await organizations.add({ ...aDraft(), templates: draft.templates, rebootBy: draft.rebootBy })
  expect({ templates: added.templates, rebootBy: added.rebootBy }).toEqual({
    templates: draft.templates,
    rebootBy: 'group-id',
  })
})

test('assumed values are stored trimmed, in order, without blanks and repeats', async () => {
  const home = aHome()
  const first = await home.start()
  const typed = {
    buildTypes: [' Candidate ', '', 'Release', 'Candidate', 'release'],
    platforms: [],
    agentTypes: ['  '],
  }
  const added = await first.organizations.add(aDraft({ assumed: typed }))
  await first.stop()
  const { organizations } = await home.start()
  expect(organizations.get(added.id).assumed).toEqual({
    buildTypes: ['Candidate', 'Release', 'release'],
    platforms: [],
    agentTypes: [],
  })
  expect((await organizations.update({ id: added.id, draft: aDraft() })).assumed).toEqual(assumedValues)
})

test('an empty definition limit means the installed package', async () => {
  const { organizations } = await aHome().start()
  expect((await organizations.add(aDraft({ definitionLimit: '  ' }))).definitionLimit).toBeNull()
})
