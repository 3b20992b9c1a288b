import { relative, sep } from 'node:path'
import type { KitPart } from '../../contract/api/kits.ts'
import { bytesOf } from '../downloads/downloads.ts'
import { FolderError, type Clock, type Folder, type Folders } from '../platform.ts'
import type { RunningTask } from '../tasks.ts'
import {
  isInside,
  manifestName,
  manifestText,
  sha256Of,
  sumsName,
  sumsText,
  type KitFile,
  type KitManifest,
  type Summed,
} from './kit-manifest.ts'
import { leftManifest, ownEntries, treeOf } from './verify-kit.ts'

export interface KitFolderDeps {
  readonly organization: { readonly id: string; readonly name: string }
  readonly folders: Folders
  readonly clock: Pick<Clock, 'now'>
}

/**
 * The folder of a kit being made: its files, and the manifest that lists them. Every method rejects with
 * FolderError.
 */
export class KitFolder {
  /** The files of this kit so far. */
  readonly files: KitFile[] = []
  readonly missing: KitPart[]
  readonly #root: Folder
  readonly #deps: KitFolderDeps
  readonly #task: RunningTask
  /** Files of an earlier run that this run has not rewritten. */
  readonly #left: Map<string, Summed>

  private constructor(
    root: Folder,
    left: readonly Summed[],
    missing: readonly KitPart[],
    deps: KitFolderDeps,
    task: RunningTask,
  ) {
    this.#root = root
    this.#left = new Map(left.filter(({ path }) => isInside(path)).map((file) => [file.path, file]))
    this.missing = [...missing]
    this.#deps = deps
    this.#task = task
  }

  /** Opens an empty or new folder, or a kit of this organization. */
  static async open(
    path: string,
    missing: readonly KitPart[],
    deps: KitFolderDeps,
    task: RunningTask,
  ): Promise<KitFolder> {
    const { folders, organization } = deps
    const root = await folders.open(path)
    const left = await leftManifest(root, folders)
    if (left === null || left.organizationId !== organization.id) {
      if (left !== null || (await ownEntries(root)).length > 0)
        throw new FolderError(
          'taken',
          root.path,
          'It contains something other than a kit of this organization.',
        )
    }
    return new KitFolder(root, left?.files ?? [], missing, deps, task)
  }

  get path(): string {
    return this.#root.path
  }

  /** A folder of the kit; a link does not count. */
  async folder(...names: readonly string[]): Promise<Folder> {
    let folder = this.#root
    for (const name of names) {
      const path = folder.pathOf(name)
      folder = await this.#deps.folders.open(path)
      if (folder.path !== path) throw new FolderError('taken', path, 'It is a link.')
    }
    return folder
  }

  /**
   * Writes the manifest and its checksums. Files of an earlier run remain part of the kit until this run is
   * done.
   */
  async save(complete: boolean): Promise<void> {
    const { clock, organization } = this.#deps
    const unknown = { product: null, version: null, host: null }
    const left = [...this.#left.values()].map((file): KitFile => ({ ...file, ...unknown }))
    const manifest: KitManifest = {
      kit: 1,
      complete,
      madeAt: clock.now(),
      organization: organization.name,
      organizationId: organization.id,
      files: [...this.files, ...left],
      missing: this.missing,
    }
    const text = manifestText(manifest)
    await this.#root.replace(manifestName, text)
    await this.#root.replace(sumsName, sumsText(manifest.files, sha256Of(text)))
  }

  add(file: KitFile): KitFile {
    this.#left.delete(file.path)
    this.files.push(file)
    return file
  }

  async write(folder: Folder, name: string, text: string, product: KitFile['product']): Promise<string> {
    this.#task.step('writing', this.files.length, null)
    await folder.replace(name, text)
    return this.add({
      path: this.pathIn(folder, name),
      bytes: Buffer.byteLength(text),
      sha256: sha256Of(text),
      product,
      version: null,
      host: null,
    }).path
  }

  /** In the form of the manifest and the links of pages. */
  pathIn(folder: Folder, name: string): string {
    return [...relative(this.#root.path, folder.path).split(sep), name].filter(Boolean).join('/')
  }

  /** Deletes unchanged files of an earlier run that are not part of this kit; without `firmware`, its files remain. */
  async removeLeft({ firmware }: { readonly firmware: boolean }): Promise<void> {
    const { folders } = this.#deps
    const tree = await treeOf(this.#root, folders)
    for (const [path, file] of this.#left) {
      const isThere = tree.get(path) === 'file'
      if (isThere && !firmware && path.startsWith('firmware/')) continue
      this.#left.delete(path)
      if (!isThere) continue
      const { sha256 } = await bytesOf(folders.read(this.#root.pathOf(path)), this.#task.signal)
      if (sha256 !== file.sha256) continue
      const names = path.split('/')
      await (await this.folder(...names.slice(0, -1))).remove(names.at(-1) ?? '')
    }
  }
}
