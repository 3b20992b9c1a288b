import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { protocol } from 'electron'
import { contentPolicy } from './our-page.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** Before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } }])
}

/** Serves the built page below `folder`, and nothing outside it. */
export function serveApp(folder: string): void {
  protocol.handle('app', async (request) => {
    const url = new URL(request.url)
    const path = normalize(join(folder, url.pathname === '/' ? 'index.html' : decodeURIComponent(url.pathname)))
    if (url.host !== 'headroom' || request.method !== 'GET' || !path.startsWith(folder + sep)) return new Response('not found', { status: 404 })
    const content = await readFile(path).catch(() => null)
    if (content === null) return new Response('not found', { status: 404 })
    const nonce = randomBytes(16).toString('base64')
    const page = extname(path) === '.html'
    const body = page ? content.toString('utf8').replaceAll('__STYLE_NONCE__', nonce) : new Uint8Array(content)
    return new Response(body, {
      headers: {
        'content-type': types[extname(path)] ?? 'application/octet-stream',
        'content-security-policy': contentPolicy(nonce),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      },
    })
  })
}
