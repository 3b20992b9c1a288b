import { readFileSync } from 'node:fs'

interface Drawn {
  readonly type: string
  readonly base64: string
}
const drawn = JSON.parse(
  readFileSync(new URL('../../../electron/demo/data/pictures.json', import.meta.url), 'utf8'),
) as Record<string, Drawn>

const bytesOf = (form: string): Buffer => Buffer.from(drawn[form]?.base64 ?? '', 'base64')

/** As Chromium writes them; the GIF is our own. 224 by 224 pixels. */
export const png = bytesOf('headset-stereo')
export const webp = bytesOf('headset-mono')
export const jpeg = bytesOf('earbuds')
export const gif = bytesOf('speakerphone')

/** The same with some bytes changed. */
export function patched(bytes: Buffer, at: number, ...values: readonly number[]): Buffer {
  const changed = Buffer.from(bytes)
  changed.set(values, at)
  return changed
}
