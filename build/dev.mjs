// npm run dev: electron-vite with hot reload, on Electron or on the stand-in.
import { join } from 'node:path'
import { hasDisplay, openShell, shellArguments } from './electron-binary.mjs'
import { onNode24, root, run } from './prepare.mjs'

const node = await onNode24(import.meta.url)
const shell = await openShell(node)
const headless = !hasDisplay()
const args = [...shellArguments(shell, headless), ...(headless ? ['--headless'] : []), ...process.argv.slice(2)]
process.exitCode = await run(node, [join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js'), 'dev', '--', ...args], {
  env: { ELECTRON_EXEC_PATH: shell.executable },
})
