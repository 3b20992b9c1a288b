import packageJson from '../../package.json' with { type: 'json' }
import type { NewerVersionSource } from '../core/newer-version/newer-version.ts'

/** Where all users of a computer have their programs: those of the MSI, deb and rpm packages. */
const folderOfAll: Readonly<Partial<Record<NodeJS.Platform, RegExp>>> = {
  win32: /^[a-z]:\\Program Files(?: \(x86\))?\\/i,
  linux: /^\/(?:opt|usr)\//,
}

export interface NewerVersionGiven {
  /** null: none. Missing: `newerVersion` of package.json, as it was built. */
  readonly address?: string | null
  /** The path of this program; null: it was not installed. */
  readonly program: string | null
  readonly platform: NodeJS.Platform
}

/** A package that an administrator installs for all is updated by the administrator, unless the policy asks. */
export function newerVersionSource({
  address = packageJson.newerVersion,
  program,
  platform,
}: NewerVersionGiven): (ofPolicy: boolean | null) => NewerVersionSource {
  const isOfAll = program !== null && folderOfAll[platform]?.test(program) === true
  return (ofPolicy) => {
    if (address === null) return { off: 'not-configured' }
    if (ofPolicy === false) return { off: 'by-policy' }
    return isOfAll && ofPolicy === null ? { off: 'by-installer' } : { url: address }
  }
}
