import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import type { Protocol } from 'electron'
import type { PictureFile } from '../core/pictures/pictures.ts'
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

/** Must run before the app is ready. */
export function registerAppScheme(protocol: Pick<Protocol, 'registerSchemesAsPrivileged'>): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
}

/** null: none is stored under this id. */
export type Pictures = (id: string) => Promise<PictureFile | null>

export function serveApp(protocol: Pick<Protocol, 'handle'>, folder: string, pictures: Pictures): void {
  protocol.handle('app', (request) => pageResponse(folder, pictures, request))
}

/**
 * A picture by its id; the built page below `folder`, and nothing outside it: 404; 400 for an address that
 * cannot be parsed.
 */
export async function pageResponse(
  folder: string,
  pictures: Pictures,
  request: Pick<Request, 'url' | 'method'>,
): Promise<Response> {
  const url = new URL(request.url)
  const requested = decoded(url.pathname)
  if (requested === null) return new Response('not readable', { status: 400 })
  const path = normalize(join(folder, requested === '/' ? 'index.html' : requested))
  if (
    `${url.protocol}//${url.host}` !== pageOrigin ||
    request.method !== 'GET' ||
    !path.startsWith(folder + sep)
  )
    return notFound()
  const [, id] = /^\/pictures\/([0-9a-f]{64})$/.exec(url.pathname) ?? []
  if (id !== undefined) {
    const picture = await pictures(id).catch(() => null)
    return picture === null ? notFound() : responseWith(picture.bytes, picture.type)
  }
  const content = await readFile(path).catch(() => null)
  if (content === null) return notFound()
  return responseWith(content, types[extname(path)] ?? 'application/octet-stream')
}

const responseWith = (content: Uint8Array, type: string): Response =>
  new Response(new Uint8Array(content), {
    headers: {
      'content-type': type,
      'content-security-policy': contentPolicy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
  })

const notFound = (): Response => new Response('not found', { status: 404 })

/** null: an incomplete escape, or one that is not a character. */
function decoded(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return null
  }
}
