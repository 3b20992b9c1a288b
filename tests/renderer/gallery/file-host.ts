import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Download } from '../../../electron/contract/api/downloads.ts'
import type { FileResponse, FileRequest } from '../../../electron/core/platform.ts'
import { fileResponse } from '../../../electron/demo/file-service.ts'
import { metadataUrl } from '../../demonstration-transport.ts'
import type { TestCore } from '../prepared-core.ts'

/**
 * How a file is sent; others are sent at once. `slow`: two fifths at once, then block by block. `busy`: the
 * host asks the client to try later.
 */
type Arrival = 'slow' | 'busy' | 'missing'

const folders: string[] = []
process.once('exit', () => folders.forEach((one) => rmSync(one, { recursive: true, force: true })))

/** Firmware files come from the organization's own metadata host, into a folder of this process, which is offered for kits too. */
export async function serveFiles(core: TestCore, arrivalOf: (file: string) => Arrival | null): Promise<void> {
  core.service.alter('/downloadLink.json', (link: { readonly downloadUrl: string }) => ({
    ...link,
    downloadUrl: link.downloadUrl.replace(/^http:\/\/[^/]+/, metadataUrl),
  }))
  Object.assign(core.platform.fileTransport, {
    get: async (request: FileRequest) => answerTo(request, arrivalOf),
  })
  const folder = mkdtempSync(join(tmpdir(), 'headroom-'))
  folders.push(folder)
  Object.assign(core.platform.desktop, { chooseFolder: async () => folder })
  await core.handlers.app.setPreferences({ downloadFolder: folder })
}

/**
 * A finished download, the same again, one of a missing file, a paused one; one that runs, one that waits for
 * its host, and two that wait for others.
 */
export async function downloadInEveryState(core: TestCore): Promise<void> {
  const { handlers, finish } = core
  const arrivals = {
    PanaCast_50: 'slow',
    Evolve2_Buds: 'slow',
    Engage_75: 'missing',
    Evolve2_85: 'busy',
  } as const
  await serveFiles(
    core,
    (file) => Object.entries(arrivals).find(([name]) => file.includes(name))?.[1] ?? null,
  )
  await handlers.app.setPreferences({ downloadsAtOnce: 2 })
  const start = async (productId: number, until: (one: Download) => boolean): Promise<string> => {
    const { id } = await finish(
      handlers.downloads.start({
        vendorId: 2830,
        productId,
        version: 'latest',
        buildType: null,
        folder: null,
        acceptChanged: null,
        acceptRevoked: false,
      }),
    )
    // Disk and hashes take real time.
    while (!(await handlers.downloads.list()).downloads.some((one) => one.id === id && until(one)))
      await finish(delay(10))
    return id
  }
  const link43 = 2_115
  const isOver = ({ endedAt }: Download): boolean => endedAt !== null
  for (const productId of [link43, link43, 4_368]) await start(productId, isOver)
  await handlers.downloads.pause({ id: await start(9_483, ({ bytes }) => bytes > 4_000_000) })
  await start(12_297, ({ bytes }) => bytes > 60_000_000)
  await start(9_403, ({ triesAgainAt }) => triesAgainAt !== null)
  for (const productId of [9_455, 9_379]) await start(productId, ({ state }) => state === 'queued')
}

function answerTo(
  { url, headers, signal }: FileRequest,
  arrivalOf: (file: string) => Arrival | null,
): FileResponse {
  const { pathname, searchParams } = new URL(url)
  const path = pathname.replace('/files/', '')
  const arrival = arrivalOf(decodeURIComponent(path))
  const close = (): void => undefined
  if (arrival === 'busy' || arrival === 'missing')
    return {
      kind: 'answer',
      status: arrival === 'busy' ? 503 : 404,
      headers: arrival === 'busy' ? { 'retry-after': '50' } : {},
      body: slowly([], 0, signal),
      close,
    }
  const answer = fileResponse({ method: 'GET', path, query: searchParams, header: (name) => headers[name] })
  const atOnce = arrival === 'slow' ? Number(answer.headers['content-length']) * 0.4 : Infinity
  const body = answer.body instanceof ReadableStream ? answer.body : []
  return {
    kind: 'answer',
    status: answer.status,
    headers: answer.headers,
    body: slowly(body, atOnce, signal),
    close,
  }
}

async function* slowly(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  atOnce: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let sent = 0
  for await (const piece of pieces) {
    if (sent > atOnce) await delay(100, undefined, { signal }).catch(() => undefined)
    yield piece
    sent += piece.length
  }
}
