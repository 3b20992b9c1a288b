// Draws build/icons/*.png from headroom.svg with the system's Chromium; run after a change of the drawing.
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
say('icons drawn')
