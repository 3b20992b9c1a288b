import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, resolve } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { build } from 'vite'

const folder = resolve(import.meta.dirname, '../../../out/bench-peer')

export interface PlainLists {
  readonly page: Page
  close(): Promise<void>
}

/** The peer page, in the same Chromium as the app's window, with the same switches. */
export async function openPlainLists(): Promise<PlainLists> {
  await build({
    configFile: false,
    root: resolve(import.meta.dirname, '../peer'),
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true, target: 'esnext' },
  })
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://peer').pathname
    const file = join(folder, path === '/' ? 'index.html' : path)
    if (!existsSync(file)) return void response.writeHead(404).end()
    response
      .writeHead(200, { 'content-type': extname(file) === '.js' ? 'text/javascript' : 'text/html' })
      .end(readFileSync(file))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const browser = await chromium.launch({
    executablePath: process.env['STANDIN_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--headless', '--disable-gpu', '--hide-scrollbars'],
  })
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } })
  await page.goto(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`)
  return {
    page,
    close: async () => {
      await browser.close()
      server.close()
    },
  }
}
