import { Buffer } from 'node:buffer'

export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'

/** The data in the header of a picture file. */
export interface PictureHead {
  readonly type: PictureType
  readonly width: number
  readonly height: number
}

/** Chosen: bytes of a file, and pixels in either direction. */
export const pictureBytesAtMost = 5_000_000
const pixelsAtMost = 4_096

interface Size {
  readonly width: number
  readonly height: number
}

/**
 * Type and dimensions from the file's own header, regardless of its name and content type. null: none of the
 * four types, too large, or incomplete. Nothing is decompressed.
 */
export function pictureHead(file: Uint8Array): PictureHead | null {
  if (file.length > pictureBytesAtMost) return null
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  for (const [type, sizesOf] of kinds) {
    const sizes = sizesOf(bytes)
    if (sizes === null) continue
    const width = Math.max(0, ...sizes.map((size) => size.width))
    const height = Math.max(0, ...sizes.map((size) => size.height))
    const isFine =
      sizes.every((size) => size.width > 0 && size.height > 0) && Math.max(width, height) <= pixelsAtMost
    return isFine && sizes.length > 0 ? { type, width, height } : null
  }
  return null
}

/** Every size that a file of the type declares; null: another type; empty: damaged. */
type SizesOf = (bytes: Buffer) => readonly Size[] | null
const broken: readonly Size[] = []

const named = (bytes: Buffer, at: number, length: number): string => bytes.toString('latin1', at, at + length)

/** PNG, third edition: 8 bytes, then chunks of length, name, data, checksum; IHDR first, IEND last. */
const pngSizes: SizesOf = (bytes) => {
  if (named(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n') return null
  let size: Size | null = null
  let hasData = false
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const name = named(bytes, at + 4, 4)
    const end = at + 12 + length
    if (end > bytes.length || (size === null) !== (name === 'IHDR')) return broken
    if (name === 'IHDR') {
      if (length !== 13) return broken
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) }
    } else if (name === 'IDAT') hasData = true
    else if (name === 'IEND') return size !== null && hasData ? [size] : broken
    at = end
  }
  return broken
}

/** GIF89a: screen, then blocks; pieces of a block begin with their length, 0 ends them. */
const gifSizes: SizesOf = (bytes) => {
  if (!/^GIF8[79]a$/.test(named(bytes, 0, 6))) return null
  if (bytes.length < 13) return broken
  const sizeAt = (at: number): Size => ({ width: bytes.readUInt16LE(at), height: bytes.readUInt16LE(at + 2) })
  const colours = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))
  const behindPieces = (from: number): number => {
    let at = from
    while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0)
    return at + 1
  }
  const sizes = [sizeAt(6)]
  for (let at = 13 + colours(bytes[10] ?? 0); at < bytes.length;) {
    if (bytes[at] === 0x3b) return sizes.length > 1 ? sizes : broken
    else if (bytes[at] === 0x21) at = behindPieces(at + 2)
    else if (bytes[at] === 0x2c && at + 10 < bytes.length) {
      sizes.push(sizeAt(at + 5))
      at = behindPieces(at + 11 + colours(bytes[at + 9] ?? 0))
    } else return broken
  }
  return broken
}

/**
 * ISO/IEC 10918-1, annex B: segments up to the first scan, then data without markers except the end, restarts
 * and further scans.
 */
const jpegSizes: SizesOf = (bytes) => {
  if (bytes.length < 3 || bytes.readUIntBE(0, 3) !== 0xffd8ff) return null
  const sizes: Size[] = []
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff) return broken
    if (marker === 0xff) {
      at += 1
      continue
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd9) || end < at + 4 || end > bytes.length)
      return broken
    // Frames are C0 to CF, except tables (C4), extensions (C8) and arithmetic coding conditions (CC).
    if (marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      if (end < at + 9) return broken
      sizes.push({ height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) })
    }
    if (marker === 0xda) return bytes.lastIndexOf('\xff\xd9', undefined, 'latin1') >= end ? sizes : broken
    at = end
  }
  return broken
}

/** RFC 9649: RIFF chunks of name, length, data, each of an even length. */
const webpSizes: SizesOf = (bytes) => {
  if (named(bytes, 0, 4) !== 'RIFF' || named(bytes, 8, 4) !== 'WEBP') return null
  const last = 8 + bytes.readUInt32LE(4)
  if (last > bytes.length) return broken
  const sizes: Size[] = []
  let hasData = false
  for (let at = 12; at < last;) {
    if (at + 8 > last) return broken
    const length = bytes.readUInt32LE(at + 4)
    const end = at + 8 + length + (length % 2)
    if (end > last) return broken
    const name = named(bytes, at, 4)
    const needed = { VP8X: 10, 'VP8 ': 10, VP8L: 5, ANMF: 16 }[name]
    if (needed !== undefined && length < needed) return broken
    if (name === 'VP8X') sizes.push(canvasAt(bytes, at + 12))
    else if (name === 'ANMF') sizes.push(canvasAt(bytes, at + 14))
    else if (name === 'VP8 ') {
      // A key frame, then its start code.
      if (((bytes[at + 8] ?? 1) & 1) !== 0 || bytes.readUIntBE(at + 11, 3) !== 0x9d012a) return broken
      sizes.push({
        width: bytes.readUInt16LE(at + 14) & 0x3fff,
        height: bytes.readUInt16LE(at + 16) & 0x3fff,
      })
    } else if (name === 'VP8L') {
      if (bytes[at + 8] !== 0x2f) return broken
      const packed = bytes.readUInt32LE(at + 9)
      sizes.push({ width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 })
    }
    hasData ||= name === 'ANMF' || name === 'VP8 ' || name === 'VP8L'
    at = end
  }
  return hasData ? sizes : broken
}
const canvasAt = (bytes: Buffer, at: number): Size => ({
  width: bytes.readUIntLE(at, 3) + 1,
  height: bytes.readUIntLE(at + 3, 3) + 1,
})

const kinds: readonly (readonly [PictureType, SizesOf])[] = [
  ['image/png', pngSizes],
  ['image/gif', gifSizes],
  ['image/jpeg', jpegSizes],
  ['image/webp', webpSizes],
]
