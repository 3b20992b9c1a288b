import { createHash } from 'node:crypto'
import type { Answer } from './answer.ts'
import { empty, gatewayError } from './answer.ts'
import { products } from './catalogue.ts'
import { firmwareBytes } from './firmware-files.ts'

const sizes: ReadonlyMap<string, number> = new Map(
  products.flatMap((product) =>
    product.releases.map(({ fileName, fileSize }) => [fileName, fileSize] as const),
  ),
)

const signatureOf = (fileName: string, version: string): string =>
  createHash('sha256').update(`${fileName} ${version}`).digest('base64').slice(0, 20)

/** An address as a storage service gives it: percent-encoded name, signed query. Used exactly as given it works; put together again it may not. */
export const fileLink = (origin: string, fileName: string, version: string): string =>
  `${origin}/files/${encodeURIComponent(fileName)}?v=${version}&sig=${encodeURIComponent(`${signatureOf(fileName, version)}+/=`)}`

interface Range {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** The one range of a `Range` header; null: none asked or not understood, then the whole file is sent (RFC 9110); `outside` beyond the end. */
const rangeOf = (header: string | undefined, size: number): Range | 'outside' | null => {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (from >= size || (first === '' && Number(last) === 0)) return 'outside'
  return from < to ? { from, to } : null
}

const streamOf = (
  name: string,
  { from, to }: Range,
  cutAfter: number | null,
  cut: () => void,
): ReadableStream<Uint8Array> => {
  const bytes = firmwareBytes(name, from, to)
  let sent = 0
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (cutAfter !== null && sent >= cutAfter) {
        cut()
        controller.close()
        return
      }
      const next = bytes.next()
      if (next.done === true) controller.close()
      else {
        sent += next.value.length
        controller.enqueue(next.value)
      }
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

/** A firmware file, whole or a range of it. `cut`, when given, breaks the connection in the middle. */
export const fileAnswer = (call: FileCall, cut: (() => void) | null): Answer => {
  if (call.method !== 'GET' && call.method !== 'HEAD') return gatewayError(404, 'Resource not found')
  let name = ''
  try {
    name = decodeURIComponent(call.path)
  } catch {
    return gatewayError(404, 'Resource not found')
  }
  const size = sizes.get(name)
  if (size === undefined) return gatewayError(404, 'Resource not found')
  if (call.query.get('sig') !== `${signatureOf(name, call.query.get('v') ?? '')}+/=`)
    return gatewayError(403, 'Signature not valid in the specified time frame.')
  const etag = `"${createHash('sha1').update(name).digest('hex').slice(0, 16)}"`
  const ifRange = call.header('if-range')
  const range = ifRange === undefined || ifRange === etag ? rangeOf(call.header('range'), size) : null
  const headers = {
    'content-type': 'application/octet-stream',
    'accept-ranges': 'bytes',
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
    body:
      call.method === 'HEAD'
        ? null
        : streamOf(name, part, cut === null ? null : Math.floor(length / 3), cut ?? (() => undefined)),
  }
}
