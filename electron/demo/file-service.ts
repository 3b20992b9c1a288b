import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer } from './answer.ts'
import { empty, gatewayError } from './answer.ts'
import { products } from './catalogue.ts'
import { firmwareBytes } from './firmware-files.ts'

const sizes: ReadonlyMap<string, number> = new Map(
  products.flatMap((product) =>
    [...product.releases, ...product.bundledReleases].map(
      ({ fileName, fileSize }) => [fileName, fileSize] as const,
    ),
  ),
)

const signatureOf = (fileName: string, version: string): string =>
  createHash('sha256').update(`${fileName} ${version}`).digest('base64').slice(0, 20)

/**
 * An address in the form of a storage service: percent-encoded name, signed query. It works exactly as given;
 * if it is rebuilt from its parts, it may not work.
 */
export const fileLink = (origin: string, fileName: string, version: string): string =>
  `${origin}/files/${encodeURIComponent(fileName)}?v=${version}&sig=${encodeURIComponent(`${signatureOf(fileName, version)}+/=`)}`

interface Range {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/**
 * The single range of a `Range` header; null: none, or not understood, so the whole file is sent (RFC 9110);
 * `outside` beyond the end.
 */
const rangeOf = (header: string | undefined, size: number): Range | 'outside' | null => {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (from >= size || (first === '' && Number(last) === 0)) return 'outside'
  return from < to ? { from, to } : null
}

/** Faults of a file that can be requested. */
export interface FileTwist {
  /** A third of the bytes is sent, regardless of the length header; the caller then breaks the connection. */
  readonly isCut?: boolean
  /** The file has other bytes under the same name and size. */
  readonly isChanged?: boolean
  /** Number of bytes missing at its end; negative: additional bytes. */
  readonly missing?: number
  readonly ignoresRange?: boolean
  /** The link has expired, even if its signature is valid. */
  readonly isLinkOver?: boolean
  /** Before each piece of 64 KiB. */
  readonly pauseMs?: number
}

const streamOf = (
  name: string,
  { from, to }: Range,
  { isCut = false, pauseMs = 0 }: Pick<FileTwist, 'isCut' | 'pauseMs'>,
): ReadableStream<Uint8Array> => {
  const bytes = firmwareBytes(name, from, isCut ? from + Math.floor((to - from) / 3) : to)
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      if (pauseMs > 0) await delay(pauseMs)
      const next = bytes.next()
      if (next.done !== true) return controller.enqueue(next.value)
      controller.close()
    },
  })
}

interface FileCall {
  readonly method: string
  /** Path after `/files/`, still percent-encoded. */
  readonly path: string
  readonly query: URLSearchParams
  readonly header: (name: string) => string | undefined
}

/** A firmware file, whole or a range of it. */
export const fileResponse = (call: FileCall, twist: FileTwist = {}): Answer => {
  if (call.method !== 'GET' && call.method !== 'HEAD') return gatewayError(404, 'Resource not found')
  let name = ''
  try {
    name = decodeURIComponent(call.path)
  } catch {
    return gatewayError(404, 'Resource not found')
  }
  const published = sizes.get(name)
  if (published === undefined) return gatewayError(404, 'Resource not found')
  const signature = `${signatureOf(name, call.query.get('v') ?? '')}+/=`
  if (twist.isLinkOver === true || call.query.get('sig') !== signature)
    return gatewayError(403, 'Signature not valid in the specified time frame.')
  const size = Math.max(1, published - (twist.missing ?? 0))
  const seed = `${name}${twist.isChanged === true ? ' changed' : ''}`
  const etag = `"${createHash('sha1')
    .update(`${seed}${size === published ? '' : ` ${size}`}`)
    .digest('hex')
    .slice(0, 16)}"`
  const ifRange = call.header('if-range')
  const mayBePart = twist.ignoresRange !== true && (ifRange === undefined || ifRange === etag)
  const range = mayBePart ? rangeOf(call.header('range'), size) : null
  const headers = {
    'content-type': 'application/octet-stream',
    ...(twist.ignoresRange === true ? {} : { 'accept-ranges': 'bytes' }),
    etag,
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
  }
  if (range === 'outside') return empty(416, { ...headers, 'content-range': `bytes */${size}` })
  const part = range ?? { from: 0, to: size }
  const length = part.to - part.from
  return {
    status: range === null ? 200 : 206,
    headers: {
      ...headers,
      'content-length': String(length),
      ...(range === null ? {} : { 'content-range': `bytes ${part.from}-${part.to - 1}/${size}` }),
    },
    body: call.method === 'HEAD' ? null : streamOf(seed, part, twist),
  }
}
