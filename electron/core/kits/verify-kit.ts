import type { KitPart, VerifiedKit } from '../../contract/api/kits.ts'
import { Failed } from '../../contract/failure.ts'
import { bytesOf, folderUnusable } from '../downloads/downloads.ts'
import { FolderError, type Folder, type Folders } from '../platform.ts'
import type { RunningTask } from '../tasks.ts'
import {
  isInside,
  laterFormatOf,
  manifestName,
  manifestOf,
  sha256Of,
  sumsName,
  sumsText,
  type Summed,
} from './kit-manifest.ts'

/**
 * Maximum size of a manifest that is read into memory: some hundred thousand files. Raise it for larger kits.
 */
const manifestBytesAtMost = 67_108_864

/**
 * A tree that is deeper or larger is not walked to its end: a kit has four levels and some thousand files.
 * Raise them for other kits.
 */
const levelsAtMost = 16
const entriesAtMost = 100_000

/**
 * What systems create by themselves, where they do: folders at the top of a drive, view files without
 * programs in any folder, and a companion `._name` beside `name`. `desktop.ini` is not among them: the icon it
 * names may lie on a server.
 */
function isSystems({ name, kind }: Entry, beside: ReadonlySet<string>, level: number): boolean {
  if (kind !== 'file')
    return level === 0 && /^(?:System Volume Information|\.Trash.*|\.Spotlight-V100|\.fseventsd)$/i.test(name)
  return (
    /^(?:\.DS_Store|Thumbs\.db)$/i.test(name) ||
    (name.startsWith('._') && beside.has(name.slice('._'.length)))
  )
}
type Entry = Awaited<ReturnType<Folder['list']>>[number]

/** The entries of a folder that no system created by itself. */
export async function ownEntries(folder: Folder, level = 0): Promise<readonly Entry[]> {
  const entries = await folder.list()
  const names = new Set(entries.map(({ name }) => name))
  return entries.filter((entry) => !isSystems(entry, names, level))
}

/**
 * The entries in and below a kit's folder, by path, without folders. A link is `other` and is not followed.
 */
type KitTree = ReadonlyMap<string, 'file' | 'other'>

interface KitVerdict extends VerifiedKit {
  /** False: it is incomplete. */
  readonly isComplete: boolean
  /** The missing parts that the kit itself lists. */
  readonly lacks: readonly KitPart[]
}

/**
 * Verifies the content of a folder against its manifest: needs only the folder. Rejects with Failed
 * `folder-unusable`, `invalid` (a later format), `cancelled`.
 */
export async function verifyKit(
  path: string,
  folders: Pick<Folders, 'find' | 'read'>,
  task: RunningTask,
): Promise<KitVerdict> {
  try {
    const root = await folders.find(path)
    return await verified(root, await treeOf(root, folders), folders, task)
  } catch (error) {
    throw error instanceof FolderError ? folderUnusable(error) : error
  }
}

/**
 * The tree below a folder, without what systems create by themselves. A folder that is too deep is `other`.
 * Rejects with FolderError, `taken` for a folder with more entries than any kit.
 */
export async function treeOf(root: Folder, folders: Pick<Folders, 'find'>): Promise<KitTree> {
  const tree = new Map<string, 'file' | 'other'>()
  const walk = async (folder: Folder, above: string, level: number): Promise<void> => {
    for (const { name, kind } of await ownEntries(folder, level)) {
      // HFS+ decomposes names; the manifest has them composed.
      const path = `${above}${name.normalize('NFC')}`
      if (kind === 'folder' && level < levelsAtMost)
        await walk(await folders.find(folder.pathOf(name)), `${path}/`, level + 1)
      else tree.set(path, kind === 'file' ? kind : 'other')
      if (tree.size > entriesAtMost)
        throw new FolderError('taken', root.path, 'It contains more files than a kit.')
    }
  }
  await walk(root, '', 0)
  return tree
}

async function verified(
  root: Folder,
  tree: KitTree,
  folders: Pick<Folders, 'read'>,
  task: RunningTask,
): Promise<KitVerdict> {
  const own = new Set([manifestName, sumsName])
  const nothing = { files: 0, ok: 0, changed: [], missing: [], isComplete: false, lacks: [] }
  const extra = [...tree.keys()].filter((path) => !own.has(path)).sort()
  if (!tree.has(manifestName)) return { ...nothing, missing: [manifestName], extra }
  const text = await textOf(root, tree, manifestName, folders)
  const later = text === null ? null : laterFormatOf(text)
  if (later !== null)
    throw Failed.invalid(
      'folder',
      `A later version of Headroom made this kit (format ${later}). Update Headroom, or compare its files with sha256sum -c ${sumsName}.`,
    )
  const manifest = text === null ? null : manifestOf(text)
  if (text === null || manifest === null || manifest.files.length > entriesAtMost)
    return { ...nothing, changed: [manifestName], extra }

  const changed = new Set<string>()
  const missing = new Set<string>()
  const listed = new Map<string, Summed>()
  for (const file of manifest.files)
    // Headroom writes none of these: the manifest was changed.
    if (!isInside(file.path) || own.has(file.path) || listed.has(file.path)) changed.add(manifestName)
    else listed.set(file.path, file)

  const sums = await textOf(root, tree, sumsName, folders)
  const manifestSha256 = /^([0-9a-f]{64}) {2}manifest\.json$/m.exec(sums ?? '')?.[1] ?? null
  if (!tree.has(sumsName)) missing.add(sumsName)
  else if (manifestSha256 === null || sums !== sumsText(manifest.files, manifestSha256)) changed.add(sumsName)
  if (manifestSha256 !== null && manifestSha256 !== sha256Of(text)) changed.add(manifestName)

  let [at, ok] = [0, 0]
  for (const [path, file] of listed) {
    task.step('files', at++, listed.size)
    const found = await compared(root, tree, file, folders, task)
    if (found === 'ok') ok++
    else (found === 'missing' ? missing : changed).add(path)
  }
  return {
    files: manifest.files.length,
    ok,
    changed: [...changed].sort(),
    missing: [...missing].sort(),
    extra: extra.filter((path) => !listed.has(path) && (tree.get(path) === 'file' || !isAbove(path, listed))),
    isComplete: manifest.complete,
    lacks: manifest.missing,
  }
}

async function compared(
  root: Folder,
  tree: KitTree,
  { path, bytes, sha256 }: Summed,
  folders: Pick<Folders, 'read'>,
  task: RunningTask,
): Promise<'ok' | 'changed' | 'missing'> {
  const kind = tree.get(path)
  if (kind === undefined) return isBelowOther(path, tree) ? 'changed' : 'missing'
  if (kind === 'other') return 'changed'
  try {
    const found = await bytesOf(folders.read(root.pathOf(path)), task.signal)
    return found.bytes === bytes && found.sha256 === sha256 ? 'ok' : 'changed'
  } catch (error) {
    // A failing drive returns an error, not different bytes.
    if (error instanceof FolderError) return 'changed'
    throw error
  }
}

/** A link replaces one of its folders. */
const isBelowOther = (path: string, tree: KitTree): boolean =>
  path.split('/').some((_, at, parts) => at > 0 && tree.get(parts.slice(0, at).join('/')) === 'other')

const isAbove = (path: string, listed: ReadonlyMap<string, unknown>): boolean =>
  [...listed.keys()].some((one) => one.startsWith(`${path}/`))

/** null: it is not a plain file, cannot be read, or is longer than any file of a kit. */
async function textOf(
  root: Folder,
  tree: KitTree,
  name: string,
  folders: Pick<Folders, 'read'>,
): Promise<string | null> {
  if (tree.get(name) !== 'file') return null
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const piece of folders.read(root.pathOf(name))) {
      bytes += piece.length
      if (bytes > manifestBytesAtMost) return null
      pieces.push(piece)
    }
    // A byte that is not UTF-8 would otherwise be hidden by its replacement.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(pieces))
  } catch (error) {
    if (error instanceof FolderError || error instanceof TypeError) return null
    throw error
  }
}

/**
 * The newest manifest of the kit in a folder; null: there is none that can be read. It lists no files if its
 * checksum does not fit: a person may have changed it, or a run was killed between the two.
 */
export async function leftManifest(
  root: Folder,
  folders: Pick<Folders, 'read'>,
): Promise<ReturnType<typeof manifestOf>> {
  const there = async (name: string): Promise<string | null> => {
    const { kind } = await root.look(name)
    return textOf(root, new Map([[name, kind === 'file' ? kind : 'other']]), name, folders)
  }
  const text = await there(manifestName)
  const manifest = text === null ? null : manifestOf(text)
  if (text === null || manifest === null) return null
  const fits = (await there(sumsName)) === sumsText(manifest.files, sha256Of(text))
  return fits ? manifest : { ...manifest, files: [] }
}
