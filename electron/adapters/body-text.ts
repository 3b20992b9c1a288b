import { isUtf8 } from 'node:buffer'

/**
 * The text of a body. JSON is UTF-8, but proxies and old servers send it as UTF-16 (with or without a byte
 * order mark: the first two characters of JSON are ASCII), or in the charset they name. Anything else is read
 * as UTF-8.
 */
export function bodyText(bytes: Buffer, contentType: string | undefined): string {
  const [first, second] = bytes
  if (bytes.length % 2 === 0 && first !== undefined && second !== undefined) {
    if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return bytes.toString('utf16le')
    if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0))
      return Buffer.from(bytes).swap16().toString('utf16le')
  }
  const named = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? '')?.[1]
  if (named === undefined || isUtf8(bytes)) return bytes.toString('utf8')
  try {
    return new TextDecoder(named).decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}
