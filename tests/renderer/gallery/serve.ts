import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import vue from '@vitejs/plugin-vue'
import { createServer, type ViteDevServer } from 'vite'
import { guidePages } from '../../../build/guide-pages.mjs'
import { failed } from '../../../electron/contract/failure.ts'
import { eventNames } from '../../../electron/contract/rpc-server.ts'
import { contentPolicy } from '../../../electron/main/our-page.ts'
import { openPageCore, type PageCore } from './states.ts'

export interface Gallery {
  /** The address contains a token, because other programs of this computer can reach the port too. */
  readonly address: string
  close(): Promise<void>
}

const project = resolve(import.meta.dirname, '../../..')

/**
 * Serves the pages from their sources on loopback, under the app's own content security policy; a change is
 * visible at once. Every page has its own core here, in memory, and reaches it over the WebSocket by which
 * Vite reports changes.
 */
export async function serveGallery(): Promise<Gallery> {
  const nonce = randomBytes(16).toString('base64')
  const token = randomBytes(24).toString('base64url')
  const server = await createServer({
    configFile: false,
    root: import.meta.dirname,
    cacheDir: join(project, 'node_modules/.cache/headroom/gallery'),
    logLevel: 'warn',
    server: {
      host: '127.0.0.1',
      fs: { allow: [project] },
      // Vite inserts styles on a change: they carry the nonce.
      headers: {
        'content-security-policy': contentPolicy.replace("style-src 'self'", `$& 'nonce-${nonce}'`),
      },
    },
    html: { cspNonce: nonce },
    plugins: [
      guidePages(),
      vue(),
      tailwindcss(),
      {
        name: 'gallery',
        configureServer: (vite) => {
          vite.middlewares.use(onlyWith(token))
          vite.middlewares.use('/pictures/', servePictures(serveCores(vite)))
        },
      },
    ],
  })
  await server.listen()
  const { port } = server.httpServer!.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}/?token=${token}`, close: () => server.close() }
}

interface PageCall {
  readonly id: number
  readonly method: string
  readonly argument: unknown
}

/** The contract over Vite's WebSocket: requests `gallery:open`, then `gallery:call`; responses `gallery:answer` and `gallery:event`. */
function serveCores({ ws }: ViteDevServer): ReadonlyMap<object, Promise<PageCore>> {
  const opened = new Map<object, Promise<PageCore>>()
  ws.on('gallery:open', ({ search }: { search: string }, client) => {
    const opening = openPageCore(new URLSearchParams(search))
    opened.set(client.socket, opening)
    client.socket.once('close', () => {
      opened.delete(client.socket)
      void opening.then((one) => one.close()).catch(() => undefined)
    })
    opening.then(
      ({ core }) => {
        for (const event of eventNames)
          core.subscribe(event, (payload) => client.send('gallery:event', { event, payload }))
        client.send('gallery:opened')
      },
      (error: unknown) => client.send('gallery:opened', { problem: String(error) }),
    )
  })
  ws.on('gallery:call', async ({ id, method, argument }: PageCall, client) => {
    const page = await opened.get(client.socket)
    const outcome = page
      ? await page.core.call(method, argument)
      : failed({ kind: 'bug', reference: 'no-core' })
    client.send('gallery:answer', { id, outcome })
  })
  return opened
}

/** Stored pictures of all pages by their id, as the app's own scheme serves them. */
const servePictures =
  (opened: ReadonlyMap<object, Promise<PageCore>>) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    for (const opening of opened.values()) {
      const file = await opening.then((page) => page.picture((request.url ?? '').slice(1))).catch(() => null)
      if (file === null) continue
      response.writeHead(200, { 'content-type': file.type }).end(file.bytes)
      return
    }
    response.writeHead(404).end()
  }

/**
 * The token opens the page, which gets a cookie for its further requests; all other requests are rejected.
 */
function onlyWith(token: string) {
  const cookie = `gallery=${token}`
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const given = new URL(request.url ?? '/', 'http://gallery').searchParams.get('token')
    const known = (request.headers.cookie ?? '').split('; ').some((one) => isSame(one, cookie))
    if (given !== null && isSame(given, token))
      response.setHeader('set-cookie', `${cookie}; HttpOnly; SameSite=Strict; Path=/`)
    else if (!known) {
      response
        .writeHead(403, { 'content-type': 'text/plain' })
        .end('open the address that the gallery printed')
      return
    }
    next()
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
