import { describe, expect, it } from 'vitest'
import type { TagChange } from '../../electron/contract/api/tags.ts'
import { methodNames } from '../../electron/contract/rpc-server.ts'
import { doubleLink } from './double-link.ts'

describe('the double of the core', () => {
  it('answers every call of the contract', async () => {
    const double = doubleLink({ devices: 50 })
    const window = await double.call('devices.window', { where: '', sort: [], start: 0, count: 1 })
    const id = window.ok ? (window.value as { rows: { id: string }[] }).rows[0]?.id : undefined
    const product = { vendorId: 2830, productId: 0x24b3 }
    const organization = { id: 'org-1', slot: 'primary' }
    const terms = { startAt: null, window: null, keepTrying: false, canary: false }
    const given: Readonly<Record<string, unknown>> = {
      'app.setPreferences': { theme: 'dark' },
      'organizations.add': { name: 'New', preset: 'custom' },
      'organizations.update': { id: 'org-1', draft: { name: 'Other' } },
      'organizations.use': { id: 'org-1' },
      'organizations.remove': { id: 'org-2' },
      'organizations.setKey': { ...organization, key: 'abcd' },
      'organizations.checkKey': organization,
      'organizations.bindKey': { ...organization, origin: 'https://api.cloud.jabra.com' },
      'organizations.forgetKey': organization,
      'organizations.useKey': organization,
      'organizations.keyRegenerated': organization,
      'devices.window': {
        where: 'status:online',
        sort: [{ column: 'name', descending: false }],
        start: 0,
        count: 1,
      },
      'devices.facets': { where: '' },
      'devices.position': { where: '', sort: [], id },
      'devices.suggest': { key: 'product', typed: 'evo' },
      'devices.selected': { selection: { kind: 'matching', where: '', except: [] } },
      'devices.get': { id },
      'devices.history': { id },
      'rooms.list': { where: '', sort: [{ column: 'health', descending: true }], start: 0, count: 1 },
      'rooms.get': { id: 'room-1' },
      'rooms.history': { id: 'room-1' },
      'rooms.position': { where: '', sort: [], id: 'room-1' },
      'rooms.suggest': { key: 'location', typed: '' },
      'rooms.refresh': { id: 'room-1' },
      'changes.groups': { where: '', since: null },
      'changes.window': { where: '', since: null, group: null, start: 0, count: 10 },
      'changes.look': { at: null },
      'tags.change': { selection: { kind: 'picked', ids: [id] }, add: ['new'], remove: [] },
      'tags.rename': { from: 'new', to: 'newer' },
      'tags.remove': { name: 'newer' },
      'lists.paste': { text: 'nothing such', keep: true, name: 'Mine' },
      'lists.remove': { name: 'Mine' },
      'views.list': { list: 'devices' },
      'views.save': { list: 'devices', name: 'Mine', where: '', sort: [], columns: null },
      'views.rename': { id: 1, name: 'Yours' },
      'views.remove': { id: 1 },
      'exports.start': {
        subject: { of: 'rooms', where: '', sort: [] },
        format: 'csv',
        columns: null,
        delimiter: ',',
        timeZone: 'UTC',
        viewName: null,
      },
      'exports.cancel': { id: 'another' },
      'exports.show': { id: 'export-1' },
      'rooms.rebootPlan': { id: 'room-1' },
      'rooms.reboot': { id: 'room-1', unlock: true, wait: false },
      'devices.settings': { id, refresh: true },
      'devices.settingsOver': { selection: { kind: 'matching', where: '', except: [] } },
      'goldenProfiles.get': { id: 'golden-1' },
      'goldenProfiles.devices': { id: 'golden-1', state: 'drifted', setting: null, start: 0, count: 10 },
      'goldenProfiles.deviceIds': { id: 'golden-1', state: 'drifted', setting: null },
      'goldenProfiles.save': {
        id: null,
        name: 'Mine',
        productId: 12306,
        variantType: null,
        settings: [{ name: 'autoUpdate', value: true }],
      },
      'goldenProfiles.remove': { id: 'golden-1' },
      'goldenProfiles.notAllowed': { start: 0, count: 10 },
      'journal.list': { where: '', subjectId: null, start: 0, count: 10 },
      'jobs.plan': {
        work: { kind: 'reboot-rooms', of: 'rooms', selection: { kind: 'picked', ids: ['room-1'] } },
        ...terms,
      },
      'jobs.planned': { plan: 'plan-1', start: 0, count: 10 },
      'jobs.start': { plan: 'plan-1', unlock: true, typed: null },
      'jobs.list': { start: 0, count: 10 },
      'jobs.get': { id: 'job-6' },
      'jobs.items': { id: 'job-6', show: 'open', start: 0, count: 10 },
      'jobs.pause': { id: 'job-6' },
      'jobs.resume': { id: 'job-6', unlock: false },
      'jobs.cancel': { id: 'job-5' },
      'jobs.retry': { id: 'job-5' },
      'jobs.check': { item: 1 },
      'webhooks.read': { text: '{"validationUrl":"https://hooks.example/validate"}' },
      'webhooks.validate': { text: '{"validationUrl":"https://hooks.example/validate"}' },
      'webhooks.check': { schema: '{}', payload: '{}' },
      'webhooks.steps': { done: ['name'] },
      'explorer.run': { operation: 'GetTelemetry', parameters: { apiVersion: '18' }, unlock: false },
      'explorer.saveExample': {
        name: 'Telemetry',
        operation: 'GetTelemetry',
        parameters: { apiVersion: '18' },
      },
      'explorer.removeExample': { id: 1 },
      'metadata.telemetry': { refresh: false },
      'metadata.recovery': { text: '0x24B9' },
      'metadata.versions': { refresh: false },
      'firmware.products': { text: '', owned: false, start: 0, count: 10 },
      'firmware.releases': product,
      'firmware.link': { ...product, version: '2.9.2', buildType: 'Release', refresh: false },
      'firmware.standing': { deviceId: id },
      'releaseNotes.get': product,
      'definitions.inUse': { refresh: false },
      'definitions.defaults': { ...product, variantType: null },
      'definitions.read': { ...product, variantType: '01-64', firmwareVersion: '2.9.2' },
    }
    const wrong: string[] = []
    let undo: string | null = null
    for (const channel of methodNames) {
      if (channel === 'exports.show')
        for (let quarter = 0; quarter < 4; quarter += 1) double.announce('exports.changed', { count: 1 })
      const outcome = await double.call(channel, channel === 'tags.undo' ? { undo } : given[channel])
      if (channel === 'tags.remove' && outcome.ok) ({ undo } = outcome.value as TagChange)
      if (!outcome.ok) wrong.push(`${channel}: ${outcome.failure.kind}`)
    }
    expect(wrong).toEqual([])
  })
})
