import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { protocol } from 'electron'

/** Pages come from a scheme of our own: a file: page could read the disk, and http would need a port. */
export const pageOrigin = 'app://headroom'

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

/** The table draws its styles at run time and carries this nonce (one for each load); nothing else is inline. */
export const contentPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

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
