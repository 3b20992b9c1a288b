import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, type ElectronApplication } from '@playwright/test'
import { shellArguments, shellExecutable } from './shell.ts'

/** A program of a few files in a separate folder, started in the shell. */
export interface SmallApp {
  readonly folder: string
  start(...args: string[]): Promise<ElectronApplication>
  /** Starts it without a driver, for a start that ends by itself; its exit code. */
  ended(...args: string[]): Promise<number | null>
  remove(): Promise<void>
}

export async function aSmallApp(files: Readonly<Record<string, string>>): Promise<SmallApp> {
  const folder = await mkdtemp(join(tmpdir(), 'headroom-small-app-'))
  const all = {
    'package.json': JSON.stringify({ name: 'small', version: '1.2.3', main: 'main.mjs', type: 'module' }),
    'index.html': '<!doctype html><title>small</title><body>small</body>',
    ...files,
  }
  for (const [name, text] of Object.entries(all)) await writeFile(join(folder, name), text)
  const own = [...shellArguments, folder, '--headless', `--user-data-dir=${join(folder, 'data')}`]
  return {
    folder,
    start: (...args) => _electron.launch({ executablePath: shellExecutable, args: [...own, ...args] }),
    ended: async (...args) => {
      const [code] = (await once(spawn(shellExecutable, [...own, ...args], { stdio: 'ignore' }), 'exit')) as [
        number | null,
      ]
      return code
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** A main process that opens index.html with preload.cjs once it is ready; `body` runs earlier. */
export const opensItsPage = (body: string, imports = ''): string => `
import { app, BrowserWindow, ipcMain${imports} } from 'electron'
import { join } from 'node:path'
await 0
app.whenReady().then(async () => {
  ${body}
  const window = new BrowserWindow({ show: false, webPreferences: { preload: join(import.meta.dirname, 'preload.cjs') } })
  await window.loadFile('index.html')
})
`
