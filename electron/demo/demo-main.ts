import type { Demonstration } from './demonstration.ts'
import { startDemonstration } from './demonstration.ts'
import { parseArguments, usage, WrongUsage } from './options.ts'

/** Electron's utility process has this port to its parent; plain Node does not. */
const parentPort = (process as { readonly parentPort?: { postMessage(message: unknown): void } }).parentPort

const words = (it: Demonstration): string =>
  [
    `Demonstration organization: ${it.devices} devices, ${it.rooms} rooms.`,
    `  management address  ${it.managementUrl}`,
    `  metadata address    ${it.metadataUrl}`,
    `  subscription key    ${it.key}`,
    'Press Ctrl+C to stop it.',
  ].join('\n')

const run = async (): Promise<void> => {
  const { options, json, withParent } = parseArguments(process.argv.slice(2))
  const it = await startDemonstration(options)
  const { managementUrl, metadataUrl, key, devices, rooms } = it
  const started = { managementUrl, metadataUrl, key, devices, rooms }
  process.stdout.write(`${json ? JSON.stringify(started) : words(it)}\n`)
  parentPort?.postMessage(started)
  process.send?.(started)
  const end = (): void => void it.stop().then(() => process.exit(0))
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  process.once('disconnect', end)
  // The reader of standard output has ended.
  process.stdout.once('error', end)
  if (withParent) process.stdin.once('end', end).once('error', end).resume()
}

run().catch((error: unknown) => {
  const wrongUsage = error instanceof WrongUsage
  const code = (error as { readonly code?: unknown }).code
  const taken =
    code === 'EADDRINUSE'
      ? 'the port is in use by another program'
      : code === 'EACCES'
        ? 'this user is not allowed to use the port'
        : null
  process.stderr.write(
    wrongUsage
      ? `${error.message}\n${usage}\n`
      : `The demonstration organization could not start: ${taken ?? String(error)}\n`,
  )
  process.exit(wrongUsage ? 2 : 3)
})
