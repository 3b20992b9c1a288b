// npm run package: builds and packs Headroom for this system; arguments go to electron-builder. `-- --validate` checks the configuration alone.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from './build.mjs'
import { onNode24, root, run, say } from './prepare.mjs'

const node = await onNode24(import.meta.url)
const configuration = join('build', 'electron-builder.yml')
await validate()
say(`${configuration} keeps to electron-builder's schema`)
if (!process.argv.includes('--validate')) {
  await build(node)
  const requested = process.argv.slice(2)
  process.exitCode = await run(node, [
    join(root, 'node_modules', 'electron-builder', 'cli.js'),
    '--config',
    configuration,
    '--publish',
    'never',
    ...requested,
  ])
}

/** Checks the configuration against electron-builder's own schema, without network or packing; throws with the errors. */
async function validate() {
  // electron-builder's own validator, so that this check and packaging give the same result.
  const require = createRequire(createRequire(import.meta.url).resolve('electron-builder'))
  const { getConfig, validateConfiguration } = require('app-builder-lib/out/util/config/config')
  const { DebugLogger } = require('builder-util')
  await validateConfiguration(await getConfig(root, configuration, null), new DebugLogger(false))
}
