import { lstat, open, type FileHandle } from 'node:fs/promises'
import { win32 } from 'node:path'
import type { PolicyFile, PolicySource } from '../../core/platform.ts'
import { bytesOf, refused, watchPath } from './owned-file.ts'
import { ownerAloneWrites } from './security-descriptor.ts'
import type { RunProgram } from './system-program.ts'

const policies = String.raw`HKLM\Software\Policies\Headroom`
const profiles = String.raw`HKLM\SOFTWARE\Microsoft\Windows NT\CurrentVersion\ProfileList`

/**
 * The value `Policy` of the registry, else a file in ProgramData that nobody but Administrators and SYSTEM can
 * have written. `system`: the system folder, by the path of a loaded library; null: not known.
 */
export function windowsPolicy(run: RunProgram, system: string | null): PolicySource {
  const registry = `${policies}\\Policy`
  let watched: string | null = null

  /** null: there is no such value. */
  const valueOf = async (key: string, name: string): Promise<RegistryValue | null> => {
    const ran = await run(win32.join(system ?? '', 'reg.exe'), ['query', key, '/v', name, '/reg:64'])
    if (ran === null) throw new Error('the registry cannot be read')
    return ran.code === 0 ? registryValue(ran.output.toString('latin1'), name) : null
  }
  const readFile = async (drive: string): Promise<PolicyFile> => {
    const place = await valueOf(profiles, 'ProgramData')
    if (place === null) return { kind: 'none', file: registry }
    const folder = win32.join(place.text.replace(/%SystemDrive%/i, drive), 'Headroom')
    const file = win32.join(folder, 'policy.json')
    watched = file
    let handle: FileHandle | null = null
    try {
      const links = await Promise.all([lstat(file), lstat(folder)])
      if (!links[0].isFile() || !links[1].isDirectory())
        return refused(file, 'it is not a regular file in a folder')
      handle = await open(file)
      for (const path of [folder, file])
        if (!ownerAloneWrites((await descriptorOf(path)) ?? ''))
          return refused(file, `others than Administrators and SYSTEM may write to ${path}, or own it`)
      return await bytesOf(handle, file)
    } catch (error) {
      const { code = 'unknown error' } = error as NodeJS.ErrnoException
      return code === 'ENOENT' ? { kind: 'none', file } : refused(file, `it cannot be read (${code})`)
    } finally {
      await handle?.close().catch(() => undefined)
    }
  }
  /** In SDDL. icacls.exe does not tell the owner, and names accounts in the language of the system. */
  const descriptorOf = async (path: string): Promise<string | null> => {
    const modules = win32.join(system ?? '', String.raw`WindowsPowerShell\v1.0`)
    const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
    const ran = await run(win32.join(modules, 'powershell.exe'), [
      '-NoLogo',
      '-NoProfile',
      '-NonInteractive',
      '-Command',
      `$env:PSModulePath = ${quoted(win32.join(modules, 'Modules'))}; (Get-Acl -LiteralPath ${quoted(path)}).Sddl`,
    ])
    return ran?.code === 0 ? ran.output.toString('latin1').trim() : null
  }
  return {
    async read() {
      try {
        if (system === null) throw new Error('the system folder is not known')
        const value = await valueOf(policies, 'Policy')
        return value === null ? await readFile(system.slice(0, 2)) : found(registry, value)
      } catch (error) {
        return refused(registry, (error as Error).message)
      }
    },
    watch: (changed) => (watched === null ? () => undefined : watchPath(watched, changed)),
  }
}

interface RegistryValue {
  readonly type: string
  readonly text: string
}

/** What `reg query` prints for one value; null: nothing. */
function registryValue(printed: string, name: string): RegistryValue | null {
  const [, type, text] = new RegExp(`^ {4}${name} {4}(REG_\\w+) {4}([^]*)$`, 'im').exec(printed) ?? []
  return type === undefined || text === undefined ? null : { type, text: text.trimEnd() }
}

function found(file: string, { type, text }: RegistryValue): PolicyFile {
  if (type !== 'REG_SZ' && type !== 'REG_MULTI_SZ') return refused(file, `it is of the type ${type}`)
  // reg.exe prints another character in the language of the console.
  if (/[^\t\n\r -~]/.test(text))
    return refused(file, 'it has characters beyond ASCII, which must be written as \\uXXXX')
  // It prints `\0` between the lines of a multi-line text.
  const document = type === 'REG_MULTI_SZ' ? text.replaceAll('\\0', '\n') : text
  return { kind: 'found', file, bytes: Buffer.from(document) }
}

/** The libraries that this process has loaded, by path. */
export function loadedLibraries(): readonly string[] {
  const { sharedObjects = [] } = process.report.getReport() as { readonly sharedObjects?: readonly string[] }
  return sharedObjects
}

/** The folder of Windows' own libraries, from one that this process has loaded; null: not found. */
export function systemFolder(loaded: readonly string[]): string | null {
  const library = loaded.find((path) => /\\system32\\ntdll\.dll$/i.test(path))
  return library === undefined ? null : win32.dirname(library)
}
