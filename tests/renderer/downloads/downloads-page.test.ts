import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { FileResponse } from '../../../electron/core/platform.ts'
import { firmwareBytes } from '../../../electron/demo/firmware-files.ts'
import { useDownloads } from '../../../renderer/downloads/downloads-store.ts'
import { settle, type TestCore } from '../core.ts'
import { withSize } from '../lists/a-grid.ts'
import { openPage, type OpenedPage } from '../page.ts'

const name = 'Jabra_Link_43_1.5.0.zip'
const size = 70_491
const query = {
  vendorId: 2830,
  productId: 2115,
  version: '1.5.0',
  buildType: null,
  folder: null,
  acceptChanged: null,
  acceptRevoked: false,
}

const readOnly = {
  kind: 'folder-unusable',
  reason: 'read-only',
  path: '/read-only',
  needed: null,
  free: null,
} as const

/**
 * Files come from the organization's own metadata host, into a folder of the test; `bytes` returns the
 * content.
 */
function files(bytes: () => Iterable<Uint8Array> = () => firmwareBytes(name, 0, size)) {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-page-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return {
    folder,
    prepare: async (core: TestCore): Promise<void> => {
      core.service.alter('/downloadLink.json', (link: object) => ({
        ...link,
        downloadUrl: 'https://cdn.cloud.jabra.com/files/link.zip',
      }))
      const answer = (): FileResponse => ({
        kind: 'answer',
        status: 200,
        headers: { etag: '"one"' },
        body: (async function* () {
          yield* bytes()
        })(),
        close: () => undefined,
      })
      Object.assign(core.platform.names, { lookup: async () => ['93.184.215.14'] })
      Object.assign(core.platform.fileTransport, { isProxied: async () => false, get: async () => answer() })
      await core.handlers.app.setPreferences({ downloadFolder: folder })
    },
  }
}

/** A host that sends nothing until it is stopped. */
const saysNothing = (core: TestCore): void =>
  void Object.assign(core.platform.fileTransport, {
    get: ({ signal }: { signal: AbortSignal }) =>
      new Promise((resolve) => {
        const stopped = (): void =>
          resolve({ kind: 'fault', sent: 'maybe', reason: 'aborted', message: 'stopped' })
        if (signal.aborted) stopped()
        signal.addEventListener('abort', stopped)
      }),
  })

/** The files are real, and a disk takes longer than a turn of the event loop. */
async function until(opened: OpenedPage, words: string, areThere = true): Promise<void> {
  while (opened.words().includes(words) !== areThere) {
    await new Promise((resolve) => setImmediate(resolve))
    await opened.core.advance(1_000)
    await settle()
  }
}

describe('Downloads', () => {
  it('shows where files are saved, and that there is none yet', async () => {
    const { folder, prepare } = files()
    const opened = await openPage('/downloads', {}, prepare)
    expect(opened.words()).toContain(`Firmware files are saved to ${folder}.`)
    expect(opened.words()).toContain('No downloads yet')
  })

  it('shows a release downloaded from its product page, with its checks and its folder', async () => {
    const { folder, prepare } = files()
    const opened = await openPage('/firmware/2830/2115', {}, prepare)
    await opened.button('Download').trigger('click')
    await until(opened, 'Downloaded')
    expect(opened.router.currentRoute.value.fullPath).toBe('/firmware?part=downloads')
    expect(opened.words()).toContain(
      'Published size: matches. Published MD5: matches. Earlier downloads of this version: none.',
    )
    expect(readdirSync(folder)).toEqual(['Jabra Link 43 1.5.0.zip'])
    await opened.button('Show in folder').trigger('click')
    await expect.poll(() => opened.core.platform.visible).toEqual([join(folder, 'Jabra Link 43 1.5.0.zip')])
  })

  it('pauses, resumes and cancels a waiting download', async () => {
    const { folder, prepare } = files()
    const opened = await openPage('/downloads', {}, async (core) => {
      await prepare(core)
      saysNothing(core)
      await core.handlers.downloads.start(query)
    })
    expect(opened.words()).toContain('Downloading')
    await opened.button('Pause').trigger('click')
    await until(opened, 'Paused')
    await opened.button('Resume').trigger('click')
    await until(opened, 'Downloading')
    await opened.button('Cancel').trigger('click')
    await until(opened, 'Cancelled')
    expect(readdirSync(folder)).toEqual([])
  })

  it('is paused and cancelled in its row, which offers what its state allows', async () => {
    withSize(1_200, 400)
    const { folder, prepare } = files()
    const opened = await openPage('/downloads', {}, async (core) => {
      await prepare(core)
      saysNothing(core)
      await core.handlers.downloads.start(query)
    })
    const offered = (): string[] =>
      opened.page
        .findAll('[role="gridcell"][data-column="actions"] button:not([hidden])')
        .map((one) => one.attributes('aria-label') ?? '')
    const press = (verb: string): Promise<unknown> =>
      opened.page.get(`[data-column="actions"] [aria-label^="${verb}"]`).trigger('click')
    const running = offered()
    await press('Pause')
    await until(opened, 'Paused')
    const paused = offered()
    await press('Cancel')
    await until(opened, 'Cancelled')
    expect([running, paused, offered(), readdirSync(folder)]).toEqual([
      ['Pause Jabra Link 43 1.5.0.zip', 'Cancel Jabra Link 43 1.5.0.zip'],
      ['Resume Jabra Link 43 1.5.0.zip', 'Cancel Jabra Link 43 1.5.0.zip'],
      [],
      [],
    ])
  })

  it('shows a running one below the products of the fleet, where it can be paused', async () => {
    const { prepare } = files()
    const opened = await openPage('/firmware', {}, async (core) => {
      await prepare(core)
      saysNothing(core)
      await core.handlers.downloads.start(query)
    })
    await until(opened, 'Jabra Link 43 1.5.0.zip')
    await opened.button('Pause').trigger('click')
    await until(opened, 'Jabra Link 43 1.5.0.zip', false)
    const { downloads } = await opened.core.handlers.downloads.list()
    expect(downloads.map(({ state }) => state)).toEqual(['paused'])
  })

  it('shows other bytes of a known version with both hashes, also in the row, and accepts them with a reason', async () => {
    let isChanged = false
    const { folder, prepare } = files(() =>
      isChanged ? [Buffer.from('PK\x03\x04other bytes')] : [Buffer.from('PK\x03\x04first bytes')],
    )
    const opened = await openPage('/downloads', {}, async (core) => {
      await prepare(core)
      const published = { fileSize: 15, md5Checksum: null }
      core.service.alter('/downloadLink.json', (link: object) => ({ ...link, ...published }))
      core.service.alter('/firmware-releases', (list: readonly object[]) =>
        list.map((one) => ({ ...one, ...published })),
      )
      await core.handlers.downloads.start(query)
    })
    await until(opened, 'Downloaded')
    rmSync(join(folder, 'Jabra Link 43 1.5.0.zip'))
    isChanged = true
    await opened.core.handlers.downloads.start(query)
    await until(opened, 'differs from earlier downloads of the same version')
    const cells = opened.page.findAll('[role=gridcell]').map((cell) => cell.text())
    expect(cells.filter((one) => one.startsWith('Failed'))).toEqual([
      expect.stringMatching(
        /^Failed: Jabra Link 43 1\.5\.0\.zip differs from earlier downloads of the same version/,
      ),
    ])
    await opened.page.get('form input').setValue('Rebuilt, says the vendor')
    await opened.page.get('form').trigger('submit')
    await until(opened, 'different file, accepted')
    expect(readdirSync(folder)).toEqual(['Jabra Link 43 1.5.0.zip'])
  })

  it('opens with one that failed, although a newer one runs', async () => {
    withSize(1_200, 400)
    const { prepare } = files()
    const opened = await openPage('/downloads', {}, async (core) => {
      await prepare(core)
      const missing: FileResponse = {
        kind: 'answer',
        status: 404,
        headers: {},
        body: (async function* () {})(),
        close: () => undefined,
      }
      Object.assign(core.platform.fileTransport, { get: async () => missing })
      await core.handlers.downloads.start(query)
    })
    await until(opened, 'Failed')
    saysNothing(opened.core)
    await opened.core.handlers.downloads.start({ ...query, productId: 9395, version: '2.9.2' })
    await until(opened, 'Downloading')
    expect(opened.page.get('aside h2').text()).toBe('Jabra Link 43 1.5.0.zip')
  })

  it('shows why a file cannot be downloaded at its product, and no longer once another page is opened', async () => {
    const { words, button, core, router } = await openPage('/firmware/2830/2115', {}, files().prepare)
    core.fail('downloads.start', readOnly)
    await button('Download').trigger('click')
    await settle()
    const said = [words().includes('/read-only')]
    for (const next of ['/firmware/2830/9395', '/firmware/2830/2115']) {
      await router.push(next)
      await settle()
      said.push(words().includes('/read-only'))
    }
    expect(said).toEqual([true, false, false])
  })

  it('starts files of several products side by side, and says which of them cannot be downloaded', async () => {
    const { core } = await openPage('/journal', {}, files().prepare)
    const store = useDownloads()
    const [unknown, other] = [
      { ...query, version: '9.9.9' },
      { ...query, productId: 9395, version: '2.9.2' },
    ]
    const release = core.hold('downloads.start')
    const taken = [unknown, other, other].map((one) => store.start(one))
    release()
    expect(await core.finish(Promise.all(taken))).toEqual([false, true, false])
    expect([store.failureOf(unknown)?.kind, store.failureOf(other), store.failure?.kind]).toEqual([
      'not-found',
      null,
      'not-found',
    ])
  })

  it('shows a failure, not an empty page', async () => {
    const opened = await openPage('/downloads', {}, (core) =>
      core.fail('downloads.list', {
        kind: 'cache-unusable',
        file: 'workbook.sqlite',
        reason: 'damaged',
        message: '',
      }),
    )
    expect(opened.words()).toContain('The file workbook.sqlite is damaged.')
  })
})
