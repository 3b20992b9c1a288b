// Draws build/icons/*.png from headroom.svg with the system's Chromium, and packs them for Windows and macOS; run after a change of the
// drawing. electron-builder would download a tool for this.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { onNode24, root, say } from './prepare.mjs'
import { findChromium, needSystemPackages } from './system-packages.mjs'

await onNode24(import.meta.url)
needSystemPackages(['chromium'], 'drawing the icons')
const folder = join(root, 'build', 'icons')
const drawing = readFileSync(join(folder, 'headroom.svg'), 'utf8')
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
for (const size of [16, 24, 32, 48, 64, 128, 256, 512, 1024]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  await page.setContent(
    `<style>html,body{margin:0;background:none}svg{display:block;width:${size}px;height:${size}px}</style>${drawing}`,
  )
  writeFileSync(join(folder, `${size}x${size}.png`), await page.screenshot({ omitBackground: true }))
  await page.close()
}
await browser.close()
const png = (size) => readFileSync(join(folder, `${size}x${size}.png`))
writeFileSync(join(folder, 'headroom.ico'), windowsIcon([16, 24, 32, 48, 64, 128, 256]))
writeFileSync(join(folder, 'headroom.icns'), macIcon({ ic07: 128, ic08: 256, ic09: 512, ic10: 1024 }))
say('icons drawn')

/** An index of 16 bytes for each picture, then the pictures. */
function windowsIcon(sizes) {
  const head = Buffer.alloc(6 + 16 * sizes.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(sizes.length, 4)
  let at = head.length
  for (const [index, size] of sizes.entries()) {
    const entry = 6 + 16 * index
    // 0 is 256.
    head.writeUInt8(size % 256, entry)
    head.writeUInt8(size % 256, entry + 1)
    head.writeUInt16LE(1, entry + 4)
    head.writeUInt16LE(32, entry + 6)
    head.writeUInt32LE(png(size).length, entry + 8)
    head.writeUInt32LE(at, entry + 12)
    at += png(size).length
  }
  return Buffer.concat([head, ...sizes.map(png)])
}

/** Each picture after its type and its length. */
function macIcon(sizes) {
  const piece = (type, content) => {
    const head = Buffer.alloc(8)
    head.write(type, 0, 'latin1')
    head.writeUInt32BE(8 + content.length, 4)
    return Buffer.concat([head, content])
  }
  return piece('icns', Buffer.concat(Object.entries(sizes).map(([type, size]) => piece(type, png(size)))))
}
