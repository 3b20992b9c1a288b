import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright-core'
import { clippedControls } from './clipped.ts'
import { serveGallery } from './serve.ts'

/**
 * Opens pages of the gallery and takes pictures: `node tests/renderer/gallery/look.ts OUT [--axe] [--clipped] [--size 1280x720]
 * NAME=?query#/page …` Console output of a page, and every policy violation, is printed.
 */
const [out = 'out/looks', ...rest] = process.argv.slice(2)
const axe = rest.includes('--axe')
const clipped = rest.includes('--clipped')
const size = (rest[rest.indexOf('--size') + 1] ?? '').match(/^(\d+)x(\d+)$/)
const shots = rest.filter((word) => word.includes('='))
const gallery = await serveGallery()
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--headless', '--disable-gpu'],
})
const page = await browser.newPage({
  viewport: { width: Number(size?.[1] ?? 1280), height: Number(size?.[2] ?? 720) },
  bypassCSP: axe,
})
page.on('console', (message) => {
  if (['error', 'warning'].includes(message.type()))
    console.log(`  console ${message.type()}: ${message.text()}`)
})
page.on('pageerror', (error) => console.log(`  page error: ${error.message}`))
mkdirSync(out, { recursive: true })

/** Resolves when a page is shown and its queries have responses, and this has not changed for ten frames. */
async function atRest(): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => void delete document.documentElement.dataset['frames'])
  await page.waitForFunction(
    () => {
      const { dataset } = document.documentElement
      const isThere = dataset['calls'] === '0' && document.querySelector('h1') !== null
      const frames = isThere ? Number(dataset['frames'] ?? 0) + 1 : 0
      dataset['frames'] = String(frames)
      return frames >= 10
    },
    null,
    { polling: 'raf' },
  )
}

/** Steps after the page is opened: `!click:SELECTOR`, `!press:KEY`, `!type:TEXT`, `!wait:SELECTOR`. */
async function step(text: string): Promise<void> {
  const [verb, ...words] = text.split(':')
  const what = words.join(':')
  if (verb === 'click') await page.locator(what).first().click()
  else if (verb === 'press') await page.keyboard.press(what)
  else if (verb === 'type') await page.keyboard.type(what)
  else if (verb === 'wait') await page.locator(what).first().waitFor()
  await atRest()
}
for (const shot of shots) {
  const at = shot.indexOf('=')
  const name = shot.slice(0, at)
  const [address_ = '', ...steps] = shot.slice(at + 1).split('!')
  await page.goto('about:blank')
  const [query = '', hash = ''] = address_.split('#')
  await page.goto(`${gallery.address}&${query.replace(/^\?/, '')}#${hash}`)
  await atRest()
  for (const one of steps) await step(one)
  await page.screenshot({ path: join(out, `${name}.png`) })
  console.log(`${name}: ${await page.title()}`)
  if (clipped) for (const one of await page.evaluate(clippedControls)) console.log(`  clipped: ${one}`)
  if (!axe) continue
  await page.addScriptTag({ path: resolve(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js') })
  const found = await page.evaluate(async () => {
    const run = (
      globalThis as unknown as {
        axe: {
          run: () => Promise<{
            violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
          }>
        }
      }
    ).axe
    return (await run.run()).violations.map(
      (v) =>
        `${v.impact} ${v.id}: ${v.nodes
          .map((n) => `${n.html.slice(0, 160)} — ${n.failureSummary.split('\n')[1] ?? ''}`)
          .slice(0, 3)
          .join('\n      ')}`,
    )
  })
  console.log(
    found.length ? `  axe: ${found.length} violations\n    ${found.join('\n    ')}` : '  axe: 0 violations',
  )
}
await browser.close()
await gallery.close()
