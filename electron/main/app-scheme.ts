import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import type { Protocol } from 'electron'
import { contentPolicy, pageOrigin } from './our-page.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** Before the app is ready. */
export function registerAppScheme(protocol: Pick<Protocol, 'registerSchemesAsPrivileged'>): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ])
}

export function serveApp(protocol: Pick<Protocol, 'handle'>, folder: string): void {
  protocol.handle('app', (request) => pageAnswer(folder, request))
}

/** The built page below `folder`, and nothing outside it: 404; 400 for an address that cannot be read. */
export async function pageAnswer(
  folder: string,
  request: Pick<Request, 'url' | 'method'>,
): Promise<Response> {
  const url = new URL(request.url)
  const asked = decoded(url.pathname)
  if (asked === null) return new Response('not readable', { status: 400 })
  const path = normalize(join(folder, asked === '/' ? 'index.html' : asked))
  if (
    `${url.protocol}//${url.host}` !== pageOrigin ||
    request.method !== 'GET' ||
    !path.startsWith(folder + sep)
  )
    return notFound()
  const content = await readFile(path).catch(() => null)
  if (content === null) return notFound()
  return new Response(new Uint8Array(content), {
    headers: {
      'content-type': types[extname(path)] ?? 'application/octet-stream',
      'content-security-policy': contentPolicy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
  })
}

const notFound = (): Response => new Response('not found', { status: 404 })

/** null: half an escape, or one of no sign. */
function decoded(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return null
  }
}
