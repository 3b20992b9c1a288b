import { describe, expect, it, vi } from 'vitest'
import type { TestCore } from '../core.ts'
import { openPage, textIn } from '../page.ts'

/** Contacted hosts are written after ten seconds. */
const written = (core: TestCore): Promise<void> => core.advance(10_000)

/** Adds an organization with a key, and checks the key at its service. */
async function another(core: TestCore, name: string, preset: string, address?: string): Promise<void> {
  const { organizations } = core.handlers
  const { presets } = await organizations.list()
  const { draft } = presets.find((one) => one.name === preset)!
  const { id } = await organizations.add({
    ...draft,
    ...(address === undefined ? {} : { managementUrl: address, metadataUrl: address }),
    name,
  })
  await organizations.setKey({ id, slot: 'primary', key: '0f1e2d3c4b5a69788796a5b4c3d2e1f0' })
  await core.finish(organizations.checkKey({ id, slot: 'primary' })).catch(() => undefined)
  await written(core)
}

/**
 * Adds a second organization, a document of the metadata interface, an opened link, and a service on this
 * computer that does not respond.
 */
async function moreHosts(core: TestCore): Promise<void> {
  await another(core, 'Vesterbro Kommune', 'jabra-plus')
  await core.handlers.metadata.telemetry({ refresh: false })
  await written(core)
  await core.handlers.app.openOutside({ url: 'https://www.jabra.com/supportpages' })
  await written(core)
  const local = 'http://127.0.0.1:40113'
  core.service.script(local, () => ({
    kind: 'fault',
    sent: 'no',
    reason: 'offline',
    message: 'ECONNREFUSED',
  }))
  await another(core, 'Workshop', 'custom', local)
}

describe('Connections', () => {
  it('is a section of Preferences, where its former address leads', async () => {
    const { page, router } = await openPage('/connections')
    expect([router.currentRoute.value.fullPath, page.get('#preferences-connections h2').text()]).toEqual([
      '/preferences/connections',
      'Connections',
    ])
  })
  it('lists every host with purpose and organization, the latest first, and marks those on this computer', async () => {
    const opened = await openPage('/connections', {}, moreHosts)
    const rows = opened.page.findAll('#preferences-connections tbody tr').map((row) => textIn(row.element))
    expect(rows).toEqual([
      '127.0.0.1 (this computer) Devices, rooms and settings, with the subscription key Workshop 2 2 now now',
      'www.jabra.com An address you opened, in your browser — 1 0 now now',
      'cdn.cloud.jabra.com Products, firmware and definitions, without the key Nordlys A/S, Vesterbro Kommune 32 0 3 min now',
      'api.cloud.jabra.com Devices, rooms and settings, with the subscription key Nordlys A/S, Vesterbro Kommune 26 0 13 d now',
    ])
  })
  it('names a host once, for all its purposes', async () => {
    const opened = await openPage('/connections', {}, ({ handlers }) => {
      const row = {
        host: '127.0.0.1',
        local: true,
        organizations: ['Demonstration'],
        attempts: 2,
        failed: 0,
        firstAt: 0,
      }
      const other = { ...row, host: 'cdn.example.com', local: false }
      vi.spyOn(handlers.connections, 'list').mockResolvedValue([
        { ...row, purpose: 'management', lastAt: 3 },
        { ...other, purpose: 'metadata', lastAt: 2 },
        { ...row, purpose: 'picture', lastAt: 1 },
      ])
    })
    const hosts = opened.page.findAll('#preferences-connections tbody th')
    expect(hosts.map((one) => [textIn(one.element), one.attributes('rowspan')])).toEqual([
      ['127.0.0.1 (this computer)', '2'],
      ['cdn.example.com', '1'],
    ])
  })
  it('shows that nothing else is contacted', async () => {
    const opened = await openPage('/connections')
    expect(opened.words()).toContain('there is no telemetry, no analytics and no crash reporting')
  })
  it('shows before the first call that nothing was contacted', async () => {
    const opened = await openPage('/connections', { organization: 'unread' })
    expect(opened.words()).toContain('No hosts contacted yet')
  })
  it('shows a failure, not an empty page', async () => {
    const opened = await openPage('/connections', {}, (core) =>
      core.fail('connections.list', { kind: 'bug', reference: 'R9' }),
    )
    expect([opened.words().includes('R9'), opened.words().includes('No hosts contacted yet')]).toEqual([
      true,
      false,
    ])
  })
})
