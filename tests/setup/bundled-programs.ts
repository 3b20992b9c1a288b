import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { build, type Rollup } from 'vite'
import type { TestProject } from 'vitest/node'
import { removeOldBundles } from './old-bundles.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the bundled programs, which have the paths of their sources in it. */
    readonly programs: string
  }
}

const root = resolve(import.meta.dirname, '../..')
const cache = join(root, 'node_modules/.cache/headroom/programs')
const entries = [
  'electron/adapters/database-worker',
  'electron/adapters/schema-worker',
  'tests/adapters/owner/a-holder',
  'tests/bench/load/killed-client',
  'tests/bench/load/killed-program',
  'tests/cli/a-program',
  'tests/cli/an-app',
  'tests/core/call-budget/calling-program',
  'tests/core/jobs/job-program',
  'tests/core/storage/writing-program',
  'tests/core/writes/writing-program',
]

/**
 * Bundles the programs that tests start as processes, unless their sources are those of the last time: a start
 * from source takes nearly twice the processor time.
 */
export default async function bundlePrograms({ provide }: Pick<TestProject, 'provide'>): Promise<void> {
  provide('programs', known() ?? (await bundle()))
}

/** The last bundle; null: there is none, or a source of it has changed. */
function known(): string | null {
  try {
    const { modules, folder } = JSON.parse(readFileSync(join(cache, 'last.json'), 'utf8')) as {
      modules: readonly string[]
      folder: string
    }
    if (folder !== folderOf(modules)) return null
    const now = new Date()
    // Kept for another day.
    utimesSync(folder, now, now)
    return folder
  } catch {
    return null
  }
}

const folderOf = (modules: readonly string[]): string => {
  const hash = createHash('sha256')
  for (const file of [...modules, 'package-lock.json', relative(root, import.meta.filename)])
    hash.update(`${file}\n`).update(readFileSync(join(root, file)))
  return join(cache, hash.digest('hex'))
}

async function bundle(): Promise<string> {
  mkdirSync(cache, { recursive: true })
  removeOldBundles(cache, Date.now())
  const fresh = mkdtempSync(join(cache, 'fresh-'))
  const { output } = (await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [{ name: 'threads-beside-programs', renderChunk: threadsBesidePrograms }],
    ssr: { noExternal: true, external: ['keytar'] },
    build: {
      ssr: true,
      outDir: fresh,
      minify: false,
      rollupOptions: {
        input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  })) as Rollup.RollupOutput
  const modules = output
    .flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
    .filter((id) => existsSync(id) && !id.includes('node_modules'))
    .map((id) => relative(root, id))
    .sort()
  const folder = folderOf(modules)
  if (existsSync(folder)) rmSync(fresh, { recursive: true })
  else renameSync(fresh, folder)
  writeFileSync(join(cache, 'last.json'), JSON.stringify({ modules, folder }))
  return folder
}

const threadsBesidePrograms = (code: string): { code: string; map: null } => ({
  code: code.replaceAll(/(new URL\("[^"]+-worker)\.ts(", import\.meta\.url\))/g, '$1.mjs$2'),
  map: null,
})
