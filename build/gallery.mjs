// npm run gallery: builds the pages over made-up data, again whenever a source changes, and serves them to whoever has the address it prints.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { onNode24, root, say } from './prepare.mjs'

await onNode24(import.meta.url)
const { build, preview } = await import('vite')
// Other programs of this computer reach the port too; only who was given the address gets an answer.
const token = randomBytes(24).toString('base64url')
const cookie = `gallery=${token}`

const gallery = {
  configFile: join(root, 'tests', 'renderer', 'gallery', 'vite.config.ts'),
  logLevel: 'error',
}
const watcher = await build({ ...gallery, build: { watch: {} } })
await new Promise((built) => {
  watcher.on('event', ({ code, error }) => {
    if (code === 'ERROR') say(`the build failed: ${error.message}`)
    if (code === 'END') built()
  })
})
const server = await preview({
  ...gallery,
  preview: { host: '127.0.0.1' },
  plugins: [
    {
      name: 'gallery-token',
      configurePreviewServer: ({ middlewares }) => void middlewares.use(onlyWithToken),
    },
  ],
})
const address = `http://127.0.0.1:${server.httpServer.address().port}/?token=${token}`
process.stdout.write(`${address}\n`)
say('parameters and the page follow the address: …&offline&theme=dark#/devices; Ctrl+C ends it')

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => void Promise.all([watcher.close(), server.close()]).then(() => process.exit(0)))

/** The token opens the page, which is given a cookie for the rest of its requests; all others are refused. */
function onlyWithToken(request, response, next) {
  const given = new URL(request.url, 'http://gallery').searchParams.get('token')
  const known = (request.headers.cookie ?? '').split('; ').some((one) => isSame(one, cookie))
  if (given !== null && isSame(given, token))
    response.setHeader('set-cookie', `${cookie}; HttpOnly; SameSite=Strict; Path=/`)
  else if (!known) {
    response.writeHead(403, { 'content-type': 'text/plain' }).end('open the address that the gallery printed')
    return
  }
  next()
}

function isSame(one, other) {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
