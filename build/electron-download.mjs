// Downloads Electron's binary into its cache, where Electron's own install script finds it.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from './prepare.mjs'

/** A server that sends nothing for so long is given up. A slow one is not: the file has more than 100 MB. */
export const silenceInMs = 20_000

/** `say` gets a line for each tenth. Rejects if the file cannot be had, is not the published one, or nothing more arrives. */
export async function downloadElectron(say) {
  const require = createRequire(join(root, 'node_modules', 'electron', 'install.js'))
  const { downloadArtifact } = require('@electron/get')
  const silent = new AbortController()
  let timer
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silent.abort(new Error('the server sends nothing more')), silenceInMs)
  }
  let tenths = 0
  const progress = ({ transferred, total }) => {
    heard()
    const reached = total ? Math.floor((transferred / total) * 10) : 0
    if (reached > tenths) say(`${reached * 10} % of ${Math.round(total / 2 ** 20)} MiB`)
    tenths = reached
  }
  heard()
  try {
    await downloadArtifact({
      version: require('./package.json').version,
      artifactName: 'electron',
      checksums: require('./checksums.json'),
      cacheRoot: process.env.electron_config_cache,
      downloadOptions: { quiet: true, signal: silent.signal, getProgressCallback: progress },
    })
  } finally {
    clearTimeout(timer)
  }
}
