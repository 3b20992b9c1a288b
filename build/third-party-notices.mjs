// The licences of all shipped third-party code, from the installed packages: packages that the bundler
// includes in the built files, and packages next to them. A package with a licence that is not allowed stops
// the build.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Permissive licences: they only require that their text is included. OFL-1.1: typefaces. */
const allowed = new Set(['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'OFL-1.1'])
const noticesFile = 'third-party-notices.txt'
/** Their paths in the lock file, for the bill of materials (build/sbom.mjs). */
export const packagesFile = (root) => join(root, 'out', 'packages.json')

/** The package folder of a bundled file; null: our own file, or one that the bundler generated. */
export const packageFolderOf = (moduleId) =>
  /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/?]+)[\\/]/.exec(moduleId)?.[1] ?? null

/** Package folders that are installed at run time, without the Node that only a clone needs. */
export const shippedFolders = (root) =>
  Object.entries(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages)
    .filter(([path, { dev, optional }]) => path !== '' && dev !== true && optional !== true)
    .map(([path]) => join(root, path))

/** One text with name, version, licence and licence texts of each package. Throws with the packages whose licence is not allowed. */
export function noticesOf(root, folders) {
  const packages = new Map()
  for (const folder of folders) {
    const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    packages.set(`${name} ${version}`, {
      name,
      version,
      license,
      texts: licenceTexts(root, folder, license, author),
    })
  }
  const sorted = [...packages.values()].sort((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1,
  )
  const refused = sorted
    .filter(({ license }) => !allowed.has(license))
    .map(({ name, version, license }) => `${name} ${version}: ${license ?? 'no licence'}`)
  if (refused.length > 0)
    throw new Error(`These licences are not allowed (build/third-party-notices.mjs): ${refused.join(', ')}`)
  const notices = sorted.map(({ name, version, license, texts }) =>
    [`${name} ${version} (${license})`, '', ...texts].join('\n'),
  )
  const line = '-'.repeat(80)
  return [
    'Headroom is made with the packages named here. The packed window also holds Electron and Chromium: their licences are in LICENSE.electron.txt and LICENSES.chromium.html beside it. The command line holds Node: its licence is in LICENSE.node beside it.',
    ...notices,
  ].join(`\n\n${line}\n\n`)
}

/**
 * Licence and notice files of a package, unchanged; if it has none, the text of the licence that it names. Throws
 * if that text is not in `licences/`.
 */
function licenceTexts(root, folder, license, author) {
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  if (texts.length > 0 || !allowed.has(license)) return texts
  const named = typeof author === 'string' ? author : (author?.name ?? 'its author')
  const text = join(root, 'build/licences', `${license}.txt`)
  if (!existsSync(text))
    throw new Error(`${folder} holds no licence text, and build/licences has none of ${license}.`)
  return [
    `The package holds no licence text. Copyright ${named}. This is the text of ${license}:`,
    '',
    readFileSync(text, 'utf8').trim(),
  ]
}

/** For electron-vite: `collect` records what a build bundles; `write`, in the last build, writes the file beside the page. */
export function thirdPartyNotices(root) {
  const bundled = new Set()
  // All modules that were read: one that only re-exports leaves no code in the bundle.
  const note = (ids) => {
    for (const id of ids) {
      const folder = packageFolderOf(id)
      if (folder !== null && existsSync(join(folder, 'package.json'))) bundled.add(folder)
    }
  }
  return {
    collect: () => ({
      name: 'third-party-notices-collect',
      generateBundle() {
        note(this.getModuleIds())
      },
    }),
    write: () => ({
      name: 'third-party-notices-write',
      generateBundle() {
        note(this.getModuleIds())
        const folders = [...bundled, ...shippedFolders(root)]
        this.emitFile({ type: 'asset', fileName: noticesFile, source: noticesOf(root, folders) })
        const paths = folders.map((folder) => relative(root, folder).replaceAll('\\', '/'))
        writeFileSync(packagesFile(root), JSON.stringify([...new Set(paths)].sort()))
      },
    }),
  }
}
