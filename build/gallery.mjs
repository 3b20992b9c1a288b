// npm run gallery: serves the pages over made-up data at the address that it prints; a change in renderer/ is
// visible at once.
import { onNode24, say } from './prepare.mjs'

await onNode24(import.meta.url)
const { serveGallery } = await import('../tests/renderer/gallery/serve.ts')
const gallery = await serveGallery()
process.stdout.write(`${gallery.address}\n`)
say('parameters and the page follow the address: …&offline&theme=dark#/devices; Ctrl+C ends it')

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => void gallery.close().then(() => process.exit(0)))
