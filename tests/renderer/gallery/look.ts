import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, relative, resolve } from 'node:path'
import { build } from 'vite'
import { chromium } from 'playwright-core'
import { clippedControls } from './clipped.ts'

/**
 * Builds the gallery, serves it under the app's own content security policy and takes pictures:
 * `node tests/renderer/gallery/look.ts OUT [--axe] [--clipped] [--size 1280x720] [--keep] NAME=?query#/page …`
 * `GALLERY=FOLDER` builds elsewhere than out/gallery. Anything the page says on its console, and every policy violation, is printed. `--keep` uses the last build.
 */
const project = resolve(import.meta.dirname, '../../..')
const folder = resolve(process.env['GALLERY'] ?? join(project, 'out/gallery'))
// The build empties its folder first.
if (isWithin(project, folder) && !isWithin(join(project, 'out'), folder))
  throw new Error(`GALLERY names ${folder}: within the project it is a folder of out/`)
const [out = 'out/looks', ...rest] = process.argv.slice(2)
const axe = rest.includes('--axe')
const clipped = rest.includes('--clipped')
const size = (rest[rest.indexOf('--size') + 1] ?? '').match(/^(\d+)x(\d+)$/)
const shots = rest.filter((word) => word.includes('='))
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

if (!rest.includes('--keep'))
  await build({
    configFile: resolve(import.meta.dirname, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: folder },
  })
const server = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://gallery').pathname
  const file = join(folder, path === '/' ? 'index.html' : path)
  const nonce = randomBytes(12).toString('base64')
  try {
    const content = readFileSync(file)
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'`,
    })
    response.end(
      extname(file) === '.html' ? content.toString('utf8').replaceAll('__STYLE_NONCE__', nonce) : content,
    )
  } catch {
    response.writeHead(404).end()
  }
})
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
const address = server.address()
const port = typeof address === 'object' && address ? address.port : 0
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

function isWithin(parent: string, child: string): boolean {
  return !relative(parent, child).startsWith('..')
}

/** Steps after the page: `!click:SELECTOR`, `!press:KEY`, `!type:TEXT`, `!wait:SELECTOR`. */
async function step(text: string): Promise<void> {
  const [verb, ...words] = text.split(':')
  const what = words.join(':')
  if (verb === 'click') await page.locator(what).first().click()
  else if (verb === 'press') await page.keyboard.press(what)
  else if (verb === 'type') await page.keyboard.type(what)
  else if (verb === 'wait') await page.locator(what).first().waitFor()
  await page.waitForTimeout(250)
}
for (const shot of shots) {
  const at = shot.indexOf('=')
  const name = shot.slice(0, at)
  const [address_ = '', ...steps] = shot.slice(at + 1).split('!')
  await page.goto('about:blank')
  await page.goto(`http://127.0.0.1:${port}/${address_}`)
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(300)
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
server.close()
