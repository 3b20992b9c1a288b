import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commands, loneCommands } from '../../electron/cli/run-command.ts'
import { createCore, type Core } from '../../electron/core/app.ts'
import { startDemonstration, type Demonstration } from '../../electron/demo/demonstration.ts'
import { fakePlatform } from '../fake-platform.ts'
import { fromMorning } from '../demo/a-demonstration.ts'
import { standBetween, type HostileService } from '../hostile-service.ts'
import { TemporaryHome } from '../temporary-store.ts'
import { runOn, type Said } from './run-on.ts'
import { rebootRoom } from '../reboot-room.ts'
import { addOrganization } from '../add-organization.ts'

/**
 * Escapes that write the clipboard and the title, move up and erase, reverse text, and end the line in
 * several ways.
 */
const ending =
  '\u001b]52;c;ZXZpbA==\u0007\u001b]0;evil\u001b\\\u001b[1A\u001b[2K\u009b2J\u202e\u2066\r\nNothing restarts.\u0085\u2028\u2029\u007f\u200b'
const key = 'a1b2c3d4e5f60718293a4b5c6d7e8f90'
const files = mkdtempSync(join(tmpdir(), 'headroom-hostile-'))

let home: TemporaryHome
let core: Core
let demonstration: Demonstration
let service: HostileService
/** Ids of this run, by the placeholder that the rows below use. */
const known = new Map<string, string>()

/** On a screen so wide that nothing is cut, unless its output is parsed. */
const headroom = (words: readonly string[], input = '', screen = true): Promise<Said> =>
  runOn(
    core,
    words.map((word) => known.get(word) ?? word),
    { screen, columns: 100_000, input, onProgress: 'drawn' },
  )

beforeAll(async () => {
  home = new TemporaryHome()
  core = await createCore(fakePlatform(home))
  demonstration = await startDemonstration({ now: fromMorning(), devices: 40, rooms: 6, key })
  service = await standBetween(demonstration, () => ending)
  const { handlers } = core
  const templates = {
    deviceSettings: 'GET /devices/api/devices/{deviceId}/settings',
    updateDeviceSettings: 'PATCH /devices/api/devices/{deviceId}/settings',
    devicesWithSettings: 'POST /devices/api/devices/settings',
    firmwareRead: 'GET /devices/api/devices/{deviceId}/firmware',
    firmwareUpdate: 'POST /devices/api/devices/{deviceId}/firmware/{firmwareVersion}',
  }
  await addOrganization(handlers, service, { key, family: 'Jabra SDK V4', templates })
  await handlers.sync.run()
  service.rename()
  await handlers.sync.run()
  const { rows } = await handlers.rooms.list({ where: 'online:>0', sort: [], start: 0, count: 6 })
  rows.forEach((room, index) => known.set(`ROOM${index + 1}`, room.id))
  const devices = (
    await handlers.devices.slice({ where: 'room:"" product:Evolve', sort: [], start: 0, count: 2 })
  ).rows
  known.set('DEVICE', devices[0]!.id)
  known.set('DEVICE2', devices[1]!.id)
  const { settings } = await handlers.devices.settings({ id: devices[0]!.id, refresh: true })
  const stored = settings
    .filter(({ name, value }) => value !== null && !name.startsWith('unknown'))
    .slice(0, 2)
  const { productId } = devices[0]!
  await handlers.goldenProfiles.save({
    id: null,
    name: `Desks ${ending.replaceAll(/[^\x20-\x7e]/g, '')}`,
    productId: productId!,
    variantType: null,
    settings: stored.map(({ name, value }) => ({ name, value: value! })),
  })
  await rebootRoom(handlers.jobs, known.get('ROOM1')!)
  const said = await headroom(
    ['reboot', 'ROOM2', 'ROOM3', '--yes', '--unlock', '--no-watch', '--json'],
    '',
    false,
  )
  known.set('JOB', (JSON.parse(said.output) as { job: { id: string } }).job.id)
  writeFileSync(
    join(files, 'schema.json'),
    JSON.stringify({ type: 'object', properties: { [ending]: { const: ending } }, required: [ending] }),
  )
})
afterAll(async () => {
  await core.close()
  await service.stop()
  await demonstration.stop()
  await home.remove()
  rmSync(files, { recursive: true })
})

const validation = JSON.stringify({
  id: ending,
  eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent',
  subject: ending,
  eventTime: new Date().toISOString(),
  data: { validationCode: ending, validationUrl: 'https://validate.example.com/x' },
})
const payload = JSON.stringify([
  {
    id: ending,
    eventType: ending,
    subject: ending,
    eventTime: new Date().toISOString(),
    data: { [ending]: 1 },
  },
])

/** The arguments of each command, and whether service text must appear, escaped or, in a file name, without special characters. */
const rows: readonly (readonly [words: readonly string[], seen: boolean, input?: string])[] = [
  [['overview'], true],
  [['tags', 'add', 'loan', 'DEVICE'], false],
  [['tags'], false],
  [['tags', 'rename', 'loan', 'spare'], false],
  [['tags', 'remove', 'spare', 'DEVICE'], false],
  [['tags', 'delete', 'spare'], false],
  [['views'], false],
  [['connections'], false],
  [['policy'], false],
  [['self', 'check'], false],
  [['support'], false],
  [['support', '--with-people'], false],
  [['org', 'add', `A${ending}`], false],
  [['org', 'add', `A${ending}`, '--preset', 'demonstration'], false],
  [['org', 'list'], false],
  [['org', 'use', 'Nordlys'], false],
  [['org', 'use', `B${ending}`], true],
  [['key', 'set', 'primary', '--stdin'], false, key],
  [['key', 'check'], false],
  [['key', 'rotate'], false],
  [['key', 'regenerated'], false],
  [['key', 'forget', 'secondary'], false],
  [['sync'], false],
  [['devices'], true],
  [['devices', '--csv'], true],
  [['devices', '--json'], true],
  [['devices', '--jsonl'], true],
  [['devices', '--where', `nothing:${ending}`], true],
  [['rooms'], true],
  [['rooms', '--csv', '--delimiter', 'tab'], true],
  [['rooms', '--json'], true],
  [['changes'], true],
  [['changes', '--jsonl'], true],
  [['room', 'ROOM2'], true],
  [['device', 'DEVICE'], true],
  [['device', `no${ending}`], true],
  [['device', 'note', 'DEVICE', 'a'], true],
  [['room', 'note', 'ROOM4', 'a'], true],
  [['room', 'site', 'ROOM4', 'a'], true],
  [['room', 'sites'], false],
  [['room', 'diff', 'ROOM4', 'ROOM5'], true],
  [['device', 'diff', 'DEVICE', 'DEVICE2'], true],
  [['reboot', 'ROOM4', '--dry-run'], true],
  [['reboot', 'ROOM4', 'ROOM5', '--dry-run'], true],
  [['reboot', 'ROOM4', '--yes', '--unlock', '--no-wait'], false],
  [['jobs'], false],
  [['jobs', 'show', 'JOB'], true],
  [['jobs', 'pause', 'JOB'], false],
  [['jobs', 'resume', 'JOB'], false],
  [['jobs', 'cancel', 'JOB'], false],
  [['jobs', 'check', 'JOB'], true],
  [['jobs', 'retry', 'JOB', '--dry-run'], false],
  [['journal'], true],
  [['journal', '--csv'], true],
  [['products', 'Evolve2'], true],
  [['releases', '2830/9395'], true],
  [['firmware', 'link', '2830/9395', '2.9.2'], false],
  [['firmware', 'releases', '2830/9395'], true],
  [['firmware', 'bundles'], true],
  [['firmware', 'status'], true],
  [['firmware', 'approve', '2830/9395', '2.9.2', '--reason', `no${ending}`], true],
  [['firmware', 'approvals'], true],
  [['firmware', 'compare-with', 'latest'], false],
  [['firmware', 'unapprove', '2830/9395'], true],
  [['firmware', 'download', '2830/2115', `no${ending}`, '--to', files], true],
  [['firmware', 'download', '2830/2115', '1.5.0', '--to', files], true],
  [['firmware', 'downloads'], true],
  [['firmware', 'downloads', '--json'], true],
  [['firmware', 'downloads', 'pause', `no${ending}`], true],
  [['firmware', 'downloads', 'resume', `no${ending}`], true],
  [['firmware', 'downloads', 'cancel', `no${ending}`], true],
  [['firmware', 'verify', `no${ending}`], true],
  [['firmware', 'ledger'], false],
  [['firmware', 'read', 'DEVICE'], false],
  [['firmware', 'update', 'DEVICE', `no${ending}`, '--dry-run'], true],
  [['recovery', '0x24B9'], true],
  [['telemetry'], true],
  [['products', 'Evolve2', '--csv'], true],
  [['definitions', 'latest'], false],
  [['definitions', 'versions'], false],
  [
    [
      'definitions',
      'diff',
      '2830/9395',
      '--document',
      'properties',
      '--firmware',
      '2.7.2',
      '--with-firmware',
      '2.9.2',
    ],
    true,
  ],
  [['firmware', 'diff', '2830/9395', '2.7.2', '2.9.2'], true],
  [['definitions', 'show', '2830/9395', '--firmware', '2.7.2'], true],
  [['notes', '2830/9395'], true],
  [['settings', 'golden'], true],
  [['settings', 'drift'], true],
  [['settings', 'drift', '--not-allowed'], false],
  [['settings', 'get', 'DEVICE'], true],
  [['settings', 'read-all'], false],
  [['settings', 'set', 'DEVICE', `no${ending}=1`, '--dry-run'], true],
  [['operations'], false],
  [['call', 'ListMeetingRooms', 'pageSize=2'], true],
  [['call', 'ListMeetingRooms', 'pageSize=2', '--strict'], true],
  [['call', 'GetRoom', 'groupId=nowhere'], true],
  [['cache', 'size'], false],
  [['versions', '--refresh'], false],
  [['cache', 'clear'], false],
  [['budget'], false],
  [['product', '2830/9395'], true],
  [['kit', 'make', '--product', '2830/2115', '--to', join(files, 'kit')], false],
  [['offline', 'prepare', '--dry-run'], false],
  [['webhook', 'check', '-', '--read'], true, validation],
  [['webhook', 'check', '-', '--read'], true, payload],
  [['webhook', 'check', '-', '--read'], false, `{"${ending}`],
  [['webhook', 'validate', '-', '--yes'], false, validation],
  [['webhook', 'check', '-', '--schema', join(files, 'schema.json')], true, payload],
  [['kit', 'verify', files], false],
  [['completion', `no${ending}`], false],
  [['reset', '--everything'], false, `no${ending}`],
  [['kit', 'make', '--product', '2830/9395', '--to', join(files, 'kit'), '--json'], false],
  [['product', '2830/9395'], true],
  [['offline', 'prepare', '--dry-run'], false],
  [[`no${ending}`], true],
  [['org', 'remove', `A${ending}`, '--yes'], true],
]

/** Anything that a terminal interprets, except our own line ends, tabs, and our progress. */
const obeyed = (text: string): string[] =>
  text
    .replaceAll('\r\u001b[K', '')
    .replaceAll('\r\n', '\n')
    .match(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu) ?? []

// One session: some commands show what an earlier one has made.
describe('no command prints terminal escapes from service data', { shuffle: false }, () => {
  test('every command is covered here', () => {
    const run = new Set(rows.map(([words]) => words.join(' ')))
    expect(
      [...commands, ...loneCommands]
        .map(({ name }) => name)
        .filter((name) => ![...run].some((words) => words === name || words.startsWith(`${name} `))),
    ).toEqual([])
  })

  test.each(rows.map(([words, seen, input = '']) => [words, seen, input] as const))(
    '%j',
    async (words, seen, input) => {
      const { output, errors } = await headroom(words, input)
      expect({ obeyed: obeyed(output + errors), seen: /\]52;c/.test(output + errors) }).toEqual({
        obeyed: [],
        seen,
      })
    },
  )
})
