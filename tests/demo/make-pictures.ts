/** Writes electron/demo/data/pictures.json with the system's Chromium: run it when renderer/styles/pictures.css changes a drawing. */
import { readFileSync, writeFileSync } from 'node:fs'
import { chromium } from 'playwright-core'

const side = 224
const css = readFileSync(new URL('../../renderer/styles/pictures.css', import.meta.url), 'utf8')
/** The drawing of the light theme in the colours of a real device. */
const colours = [
  ['%235f6a7e', '%23151b26'],
  ['%23fff', '%23384457'],
  ['%23dfe5ee', '%238ea2bd'],
] as const
const kinds = ['image/png', 'image/webp', 'image/jpeg', 'image/gif'] as const

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
const page = await browser.newPage()
const drawn: Record<string, { readonly type: string; readonly base64: string }> = {}
for (const [, form = '', svg = ''] of css.matchAll(
  /^\.picture\.([\w-]+) \{\s*background-image: url\("([^"]+)"\)/gm,
)) {
  const type = kinds[Object.keys(drawn).length % kinds.length] ?? 'image/png'
  const address = colours.reduce((text, [from, to]) => text.replaceAll(from, to), svg)
  const { encoded, pixels } = await page.evaluate(
    async ([source, as, length]) => {
      const image = new Image(length, length)
      image.src = source.replace('%3Csvg ', `%3Csvg width='${length}' height='${length}' `)
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = canvas.height = length
      const context = canvas.getContext('2d')
      if (context === null) throw new Error('no canvas')
      if (as !== 'image/png' && as !== 'image/webp') {
        context.fillStyle = '#fff'
        context.fillRect(0, 0, length, length)
      }
      context.drawImage(image, 0, 0, length, length)
      return {
        encoded: canvas.toDataURL(as, 0.85).split(',')[1] ?? '',
        pixels: [...context.getImageData(0, 0, length, length).data],
      }
    },
    [address, type, side] as const,
  )
  drawn[form] = { type, base64: type === 'image/gif' ? gifOf(pixels).toString('base64') : encoded }
}
await browser.close()
const file = new URL('../../electron/demo/data/pictures.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(drawn, null, 2)}\n`)

/** GIF89a with a table of 256 colours, three bits of red and green, two of blue. */
function gifOf(pixels: readonly number[]): Buffer {
  const indexes: number[] = []
  for (let at = 0; at < pixels.length; at += 4)
    indexes.push(
      ((pixels[at] ?? 0) & 0xe0) | (((pixels[at + 1] ?? 0) & 0xe0) >> 3) | ((pixels[at + 2] ?? 0) >> 6),
    )
  const table = Array.from({ length: 256 }, (_, index) => [
    Math.round(((index >> 5) * 255) / 7),
    Math.round((((index >> 2) & 7) * 255) / 7),
    (index & 3) * 85,
  ])
  const sideBytes = [side & 0xff, side >> 8]
  const data = packed(indexes)
  const pieces: number[] = []
  for (let at = 0; at < data.length; at += 255) {
    const piece = data.slice(at, at + 255)
    pieces.push(piece.length, ...piece)
  }
  return Buffer.from([
    ...Buffer.from('GIF89a'),
    ...sideBytes,
    ...sideBytes,
    0xf7,
    0,
    0,
    ...table.flat(),
    0x2c,
    0,
    0,
    0,
    0,
    ...sideBytes,
    ...sideBytes,
    0,
    8,
    ...pieces,
    0,
    0x3b,
  ])
}

/** LZW with codes of 9 to 12 bits, as in GIF. */
function packed(indexes: readonly number[]): readonly number[] {
  const [clear, end] = [256, 257]
  const bytes: number[] = []
  let bits = 0
  let bitCount = 0
  let width = 9
  let codes = new Map<string, number>()
  let next = 258
  const write = (code: number): void => {
    bits |= code << bitCount
    bitCount += width
    for (; bitCount >= 8; bitCount -= 8, bits >>>= 8) bytes.push(bits & 0xff)
  }
  const codeOf = (text: string): number => (text.includes(',') ? (codes.get(text) ?? 0) : Number(text))
  write(clear)
  let current = String(indexes[0])
  for (const index of indexes.slice(1)) {
    const longer = `${current},${index}`
    if (codes.has(longer)) {
      current = longer
      continue
    }
    write(codeOf(current))
    if (next < 4096) {
      codes.set(longer, next)
      if (next === 2 ** width && width < 12) width += 1
      next += 1
    } else {
      write(clear)
      codes = new Map()
      next = 258
      width = 9
    }
    current = String(index)
  }
  write(codeOf(current))
  write(end)
  if (bitCount > 0) bytes.push(bits & 0xff)
  return bytes
}
