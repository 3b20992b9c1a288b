// The bill of materials of a release (CycloneDX 1.6): the packages that are bundled or lie beside the built files, with the hashes of the
// lock file, and the runtimes that are shipped with them.
import { createHash } from 'node:crypto'

/** `node_modules/@a/b`, also of a nested one, gives `@a/b`. */
const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** `sha512-BASE64` of a lock file. */
function hashOf(integrity) {
  const [, algorithm = '', base64 = ''] = /^sha(\d+)-(.+)$/.exec(integrity ?? '') ?? []
  if (base64 === '') throw new Error('a package of the lock file has no hash')
  return { alg: `SHA-${algorithm}`, content: Buffer.from(base64, 'base64').toString('hex') }
}

/** The path within a purl: `@` of a scope is escaped. */
const purlOf = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`

/**
 * `packages`: paths of the lock file. `runtimes`: `{ name, version, license, system, bytes }`, the files as they are
 * shipped. Throws with the path that the lock file does not have.
 */
export function sbomOf({ manifest, lock, packages, runtimes }) {
  const libraries = packages.map((path) => {
    const locked = lock.packages[path]
    if (locked === undefined) throw new Error(`${path} is not in the lock file`)
    const name = locked.name ?? nameOf(path)
    return {
      type: 'library',
      name,
      version: locked.version,
      purl: purlOf(name, locked.version),
      licenses: [{ license: { id: locked.license } }],
      hashes: [hashOf(locked.integrity)],
    }
  })
  const platforms = runtimes.map(({ name, version, license, system, bytes }) => ({
    type: 'platform',
    name,
    version,
    purl: `pkg:generic/${name}@${version}?system=${system}`,
    licenses: [{ license: { id: license } }],
    hashes: [{ alg: 'SHA-256', content: createHash('sha256').update(bytes).digest('hex') }],
  }))
  const components = [...libraries, ...platforms]
    .map((one) => ({ ...one, 'bom-ref': one.purl }))
    .sort((a, b) => (a.purl < b.purl ? -1 : 1))
  // A package that lies twice in the lock file is named once.
  const once = components.filter(({ purl }, at) => purl !== components[at - 1]?.purl)
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        name: manifest.name,
        version: manifest.version,
        licenses: [{ license: { id: manifest.license } }],
      },
    },
    components: once,
  }
}
