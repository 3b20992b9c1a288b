import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openFolders } from '../../../electron/adapters/folders.ts'
import type { DeviceRow } from '../../../electron/contract/api/devices.ts'
import type { RoomRow } from '../../../electron/contract/api/rooms.ts'
import type { Failure } from '../../../electron/contract/failure.ts'
import { verifyKit } from '../../../electron/core/kits/kits.ts'
import { unwatched } from '../../../electron/core/tasks.ts'
import { openConnectedCore, type ConnectedCore } from '../../connected-core.ts'
import { hashOf } from '../downloads/a-file-host.ts'
import { aFolder } from './a-kit-folder.ts'

let opened: ConnectedCore
let room: RoomRow
let devices: readonly DeviceRow[]

interface Manifest {
  readonly complete: boolean
  readonly organization: string
  readonly files: readonly {
    readonly path: string
    readonly product: { readonly productId: number } | null
    readonly version: string | null
    readonly host: string | null
    readonly recovery?: true
  }[]
  readonly missing: readonly object[]
}
const nothing = { rooms: null, devices: null, products: [], version: 'approved', withPeople: false } as const
const link43 = { vendorId: 2830, productId: 2115 }
const folders = openFolders(() => '')
const verify = (folder: string): ReturnType<typeof verifyKit> => verifyKit(folder, folders, unwatched)
const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest
const make = (query: Partial<Parameters<typeof opened.core.handlers.kits.make>[0]> & { folder: string }) =>
  opened.core.handlers.kits.make({ ...nothing, ...query })
const fetched = (): number =>
  Object.values(opened.service.counts().arrivals['DownloadFile'] ?? {}).reduce((sum, count) => sum + count, 0)

beforeAll(async () => {
  opened = await openConnectedCore({ devices: 40, rooms: 6 })
  await opened.add()
  const { handlers } = opened.core
  await handlers.sync.run()
  const { rows } = await handlers.rooms.list({ where: 'devices:>0', sort: [], start: 0, count: 1 })
  room = rows[0]!
  devices = (await handlers.devices.slice({ where: `room:="${room.name}"`, sort: [], start: 0, count: 50 }))
    .rows
})
afterAll(() => opened.close())

/** Renames the organization until the test ends. */
async function rename(name: string): Promise<void> {
  const [organization] = (await opened.core.handlers.organizations.list()).organizations
  const { id, current, createdAt, keys, stoppedBecause, ...draft } = organization!
  void [current, createdAt, keys, stoppedBecause]
  const { update } = opened.core.handlers.organizations
  onTestFinished(async () => void (await update({ id, draft })))
  await update({ id, draft: { ...draft, name } })
}

describe('a site kit', () => {
  test('is continued after its organization was renamed, and has the new name', async () => {
    const folder = aFolder()
    const query = { folder, products: [{ vendorId: 2830, productId: 1 }] }
    await make(query)
    await rename('Nordlys A/S')
    await make(query)
    expect(manifestIn(folder).organization).toBe('Nordlys A/S')
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain('<span>Nordlys A/S</span>')
  })
  test('contains firmware, sheets and a matching manifest, is fetched once, and needs no network afterwards', async () => {
    const folder = join(aFolder(), 'kit')
    const query = { folder, products: [link43] }
    const first = await make(query)
    expect(await verify(folder)).toEqual({
      files: first.files,
      ok: first.files,
      changed: [],
      missing: [],
      extra: [],
      isComplete: true,
      lacks: [],
    })
    const { complete, organization, files } = manifestIn(folder)
    expect([complete, organization, files.map(({ path, version }) => [path, version])]).toEqual([
      true,
      'Nordlys',
      [
        ['firmware/Jabra Link 43 1.5.0.zip', '1.5.0'],
        ['products/Jabra Link 43.html', null],
        ['index.html', null],
      ],
    ])
    const before = fetched()
    const second = await make(query)
    expect([second.missing, fetched() - before]).toEqual([[], 0])
  })

  test('of a room whose files were rejected names its devices by product and serial, and people only on request', async () => {
    const folder = aFolder()
    // The firmware of room devices is large.
    opened.service.faults.set({ name: 'link-expired', rate: 1, times: null, operation: 'DownloadFile' })
    onTestFinished(() => opened.service.faults.clear())
    await make({ folder, rooms: { kind: 'picked', ids: [room.id] } })
    const sheet = (): string =>
      readFileSync(join(folder, 'rooms', readdirSync(join(folder, 'rooms'))[0]!), 'utf8')
    const addresses = devices.flatMap(({ ipAddress }) => ipAddress ?? [])
    expect(devices.filter(({ serialNumber }) => !sheet().includes(serialNumber ?? ''))).toEqual([])
    expect(addresses.filter((address) => sheet().includes(address))).toEqual([])
    await make({ folder, rooms: { kind: 'picked', ids: [room.id] }, withPeople: true })
    expect(addresses.filter((address) => !sheet().includes(address))).toEqual([])
  })

  test('with other contents in the same folder contains none of the earlier files', async () => {
    const folder = aFolder()
    await make({ folder, products: [link43] })
    await make({ folder, products: [{ vendorId: 2830, productId: 9416 }] })
    expect(readdirSync(join(folder, 'products'))).not.toContain('Jabra Link 43.html')
    expect(await verify(folder)).toMatchObject({ changed: [], missing: [], extra: [] })
  })

  test('keeps the earlier file of a product whose newer one cannot be fetched', async () => {
    const folder = aFolder()
    const { firmware } = opened.core.handlers
    await firmware.approve({ ...link43, variant: null, version: '1.1.3', reason: 'tried', expires: null })
    await make({ folder, products: [link43] })
    await firmware.unapprove({ ...link43, variant: null })
    opened.service.faults.set({ name: 'link-expired', rate: 1, times: null, operation: 'DownloadFile' })
    onTestFinished(() => opened.service.faults.clear())
    rmSync(join(folder, 'firmware', 'Jabra Link 43 1.5.0.zip'))
    const { missing } = await make({ folder, products: [link43] })
    expect([missing.length, readdirSync(join(folder, 'firmware'))]).toEqual([1, ['Jabra Link 43 1.1.3.zip']])
    expect(await verify(folder)).toMatchObject({ changed: [], missing: [], extra: [], isComplete: true })
  })

  test('lists what could not be included', async () => {
    const folder = aFolder()
    const { missing } = await make({ folder, products: [{ vendorId: 2830, productId: 1 }] })
    expect(missing).toMatchObject([{ reason: 'Not found, or not published.' }])
    expect(manifestIn(folder).missing).toEqual(missing)
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain('Not in this kit')
  })

  test('contains the recovery firmware of a device that gets another version', async () => {
    const folder = aFolder()
    const { firmware } = opened.core.handlers
    await firmware.approve({ ...link43, variant: null, version: '1.1.3', reason: 'tried', expires: null })
    onTestFinished(async () => void (await firmware.unapprove({ ...link43, variant: null })))
    await make({ folder, products: [link43] })
    expect(
      manifestIn(folder).files.flatMap(({ path, version, recovery = false }) =>
        version === null ? [] : [[path, version, recovery]],
      ),
    ).toEqual([
      ['firmware/Jabra Link 43 1.1.3.zip', '1.1.3', false],
      ['firmware/Jabra Link 43 1.5.0.zip', '1.5.0', true],
    ])
    const page = (name: string): string => readFileSync(join(folder, name), 'utf8')
    expect([
      page('products/Jabra Link 43.html').includes(
        'Firmware for recovery: <a href="../firmware/Jabra%20Link%2043%201.5.0.zip">',
      ),
      page('index.html').includes('1.5.0 (recovery)'),
      (await verify(folder)).ok,
    ]).toEqual([true, true, 4])
  })

  test('is planned with its sizes, and nothing is fetched', async () => {
    const before = fetched()
    const plan = await opened.core.handlers.kits.plan({ ...withoutPeople, products: [link43] })
    expect([plan.files.map(({ version }) => version), plan.bytes > 0, fetched() - before]).toEqual([
      ['1.5.0'],
      true,
      0,
    ])
  })
})

const { withPeople: _, ...withoutPeople } = nothing

describe('a folder is not changed', () => {
  const refused = async (query: Parameters<typeof make>[0]): Promise<Failure> => {
    const outcome = await make(query).then(
      () => null,
      (error: unknown) => (error as { failure: Failure }).failure,
    )
    return outcome!
  }

  test.each<[string, (folder: string) => void]>([
    ['with another file', (at) => writeFileSync(join(at, 'mine.txt'), '')],
    [
      'with a kit of another organization of this name',
      (at) =>
        writeFileSync(
          join(at, 'manifest.json'),
          '{"kit":1,"files":[],"organization":"Nordlys","organizationId":"another"}',
        ),
    ],
    ['with a damaged manifest', (at) => writeFileSync(join(at, 'manifest.json'), '{')],
  ])('%s', async (_what, fill) => {
    const folder = aFolder()
    fill(folder)
    const before = readdirSync(folder)
    expect([await refused({ folder, products: [link43] }), readdirSync(folder)]).toMatchObject([
      { kind: 'folder-unusable', reason: 'taken' },
      before,
    ])
  })

  test('by a manifest that its checksum contradicts: what it names is not deleted', async () => {
    const folder = join(aFolder(), 'kit')
    await make({ folder, products: [link43] })
    const mine = join(folder, 'mine.txt')
    writeFileSync(mine, 'mine')
    const path = join(folder, 'manifest.json')
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as { files: object[] }
    manifest.files.push({ path: 'mine.txt', bytes: 4, sha256: hashOf('sha256', Buffer.from('mine')) })
    writeFileSync(path, JSON.stringify(manifest))
    await make({ folder, products: [link43] })
    expect([existsSync(mine), (await verify(folder)).extra]).toEqual([true, ['mine.txt']])
  })

  test('when a link leads out of it', async () => {
    const [folder, elsewhere] = [aFolder(), aFolder()]
    mkdirSync(join(folder, 'System Volume Information'))
    symlinkSync(elsewhere, join(folder, '.Trash-1'))
    await make({ folder, products: [{ vendorId: 2830, productId: 1 }] })
    expect(existsSync(join(folder, 'index.html'))).toBe(true)
    symlinkSync(elsewhere, join(folder, 'firmware'))
    expect([await refused({ folder, products: [link43] }), readdirSync(elsewhere)]).toMatchObject([
      { kind: 'folder-unusable', reason: 'taken' },
      [],
    ])
  })

  test('when nothing is selected', async () => {
    const folder = join(aFolder(), 'kit')
    expect([
      await refused({ folder, devices: { kind: 'matching', where: 'serial:none-has-this', except: [] } }),
      existsSync(folder),
    ]).toMatchObject([{ kind: 'not-found' }, false])
  })
})
