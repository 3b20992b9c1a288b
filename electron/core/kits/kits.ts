import type { Download } from '../../contract/api/downloads.ts'
import type { Product, ProductId } from '../../contract/api/firmware.ts'
import type { KitContents, KitPlan, MadeKit } from '../../contract/api/kits.ts'
import type { ReleaseNote } from '../../contract/api/release-notes.ts'
import { Failed, isKind } from '../../contract/failure.ts'
import type { Handlers } from '../../contract/rpc-client.ts'
import {
  fileNameOf,
  folderUnusable,
  legalName,
  type Downloads,
  type DownloadWaiter,
} from '../downloads/downloads.ts'
import { productKey } from '../firmware/firmware.ts'
import type { ReleaseNotesReader } from '../release-notes/release-notes.ts'
import { FolderError, type Clock, type Folder, type Folders } from '../platform.ts'
import type { RunningTask, Tasks } from '../tasks.ts'
import {
  contentsOf,
  nameAndIds,
  reasonOf,
  targetKey,
  type ContentsDeps,
  type FoundContents,
  type WantedFile,
} from './kit-contents.ts'
import { KitFolder } from './kit-folder.ts'
import type { KitFile } from './kit-manifest.ts'
import {
  indexPage,
  productSheet,
  roomSheet,
  type KitIndex,
  type PageLink,
  type SheetDevice,
} from './kit-pages.ts'

export { verifyKit } from './verify-kit.ts'

export interface KitDeps extends ContentsDeps {
  readonly organization: ContentsDeps['organization'] & { readonly name: string }
  readonly releaseNotes: Pick<ReleaseNotesReader, 'get'>
  readonly downloads: Pick<Downloads, 'start' | 'get' | 'leave' | 'onChange'>
  readonly folders: Folders
  readonly clock: Pick<Clock, 'now'>
}

interface KitQuery extends KitContents {
  readonly folder: string
  readonly withPeople: boolean
}

/** The planned content. Rejects with Failed `not-found` if the selection is empty. */
async function planKit(wanted: KitContents, deps: KitDeps, task: RunningTask): Promise<KitPlan> {
  const { rooms, devices, products, files, missing } = await contentsOf(wanted, deps, task)
  return {
    rooms: rooms.length,
    devices: devices.length,
    products: products.length,
    missing,
    files: files.map(({ product, version, bytes }) => ({
      product: identityOf(product),
      version,
      bytes,
    })),
    bytes: files.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
  }
}

/**
 * Makes a kit, or continues one: complete files are not fetched again. Missing parts are listed in the kit.
 * Rejects with Failed `not-found` if the selection is empty, `folder-unusable` (`taken`: the folder contains
 * something else), `cancelled`: the next run continues.
 */
async function makeKit(wanted: KitQuery, who: string, deps: KitDeps, task: RunningTask): Promise<MadeKit> {
  const contents = await contentsOf(wanted, deps, task)
  try {
    const kit = await KitFolder.open(wanted.folder, contents.missing, deps, task)
    return await new Making(wanted, contents, deps, task, kit).run(who)
  } catch (error) {
    throw error instanceof FolderError ? folderUnusable(error) : error
  }
}

const identityOf = ({ vendorId, productId, name }: Product): NonNullable<KitFile['product']> => ({
  vendorId,
  productId,
  name,
})

class Making {
  readonly #wanted: KitQuery
  readonly #contents: FoundContents
  readonly #deps: KitDeps
  readonly #task: RunningTask
  readonly #kit: KitFolder
  /** The firmware that was obtained. */
  readonly #firmware = new Map<WantedFile, KitFile>()

  constructor(wanted: KitQuery, contents: FoundContents, deps: KitDeps, task: RunningTask, kit: KitFolder) {
    this.#wanted = wanted
    this.#contents = contents
    this.#deps = deps
    this.#task = task
    this.#kit = kit
  }

  async run(who: string): Promise<MadeKit> {
    const kit = this.#kit
    await kit.save(false)
    await this.#fetch(who)
    const products = await this.#productSheets()
    const sheets = await this.#roomSheets()
    const { organization, clock } = this.#deps
    const index = indexPage({
      organization: organization.name,
      madeAt: clock.now(),
      firmware: kit.files.filter(({ version }) => version !== null),
      products,
      sheets,
      missing: kit.missing,
    })
    await kit.write(await kit.folder(), 'index.html', index, null)
    // The earlier file of a product is better than none.
    await kit.removeLeft({
      firmware: this.#firmware.size === this.#contents.files.length && !this.#contents.lacksFirmware,
    })
    await kit.save(true)
    return {
      folder: kit.path,
      files: kit.files.length,
      bytes: kit.files.reduce((sum, { bytes }) => sum + bytes, 0),
      missing: kit.missing,
    }
  }

  /** The firmware for a product: its target version, or the version that restores it. */
  #firmwareOf(id: ProductId, as: 'products' | 'recovers'): readonly KitFile[] {
    return [...this.#firmware].flatMap(([wanted, file]) =>
      wanted[as].some((one) => productKey(one) === productKey(id)) ? [file] : [],
    )
  }

  #firmwareFor(id: ProductId, variant: string | null): readonly KitFile[] {
    const key = targetKey(id, variant)
    return [...this.#firmware].flatMap(([{ targets }, file]) => (targets.includes(key) ? [file] : []))
  }

  async #fetch(who: string): Promise<void> {
    const { downloads, organization } = this.#deps
    const waiting: DownloadWaiter = {}
    const names = new Set<string>()
    const megabytes = (sum: number): number => Math.round(sum / 1_000_000)
    const total = megabytes(this.#contents.files.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0))
    let done = 0
    try {
      const begun: {
        readonly file: WantedFile
        readonly folder: Folder
        readonly started: Promise<Download>
      }[] = []
      for (const file of this.#contents.files) {
        this.#task.step('megabytes', 0, total)
        const folder = await this.#firmwareFolder(file, names)
        const started = downloads.start(
          organization.id,
          { ...file.query, folder: folder.path, acceptChanged: null, acceptRevoked: false },
          who,
          waiting,
        )
        // A failure here is a missing part, which is reported later, in order.
        await started.catch(() => undefined)
        begun.push({ file, folder, started })
      }
      for (const { file, folder, started } of begun) {
        const isRecovery = file.products.length === 0
        try {
          const ended = await this.#ended((await started).id, (bytes) =>
            this.#task.step('megabytes', megabytes(done + bytes), total),
          )
          const { failure, result } = ended
          if (result === null) throw new Failed(failure ?? { kind: 'cancelled' })
          done += result.bytes
          const added = this.#kit.add({
            path: this.#kit.pathIn(folder, ended.file),
            bytes: result.bytes,
            sha256: result.sha256,
            product: identityOf(file.product),
            version: ended.version,
            host: ended.host,
            ...(isRecovery && { recovery: true }),
          })
          this.#firmware.set(file, added)
          await this.#kit.save(false)
        } catch (error) {
          if (!(error instanceof Failed) || this.#task.signal.aborted) throw error
          this.#kit.missing.push({
            what: `${isRecovery ? 'Recovery firmware' : 'Firmware'} ${file.version} of ${[...file.products, ...file.recovers].map(nameAndIds).join(', ')}`,
            reason: reasonOf(error.failure),
          })
        }
      }
    } finally {
      await downloads.leave(waiting)
    }
  }

  /** Two products may have files with one name but other bytes: the second one gets its own folder. */
  async #firmwareFolder({ product, ...file }: WantedFile, names: Set<string>): Promise<Folder> {
    const { vendorId, productId, name } = product
    const key = fileNameOf({ ...file, product: name }).toLowerCase()
    const isTaken = names.has(key)
    names.add(key)
    return isTaken ? this.#kit.folder('firmware', `${vendorId}-${productId}`) : this.#kit.folder('firmware')
  }

  async #ended(id: string, grown: (bytes: number) => void): Promise<Download> {
    const { downloads } = this.#deps
    const { signal } = this.#task
    let wake = (): void => undefined
    const unlisten = downloads.onChange((ids) => {
      if (ids.includes(id)) wake()
    })
    const stop = (): void => wake()
    signal.addEventListener('abort', stop)
    try {
      for (;;) {
        const changed = new Promise<void>((again) => (wake = again))
        const download = await downloads.get(id)
        grown(download.bytes)
        if (download.state !== 'running' && download.state !== 'queued') return download
        await changed
      }
    } finally {
      unlisten()
      signal.removeEventListener('abort', stop)
    }
  }

  async #productSheets(): Promise<readonly PageLink[]> {
    const { products, recovery } = this.#contents
    if (products.length === 0) return []
    const folder = await this.#kit.folder('products')
    const names = new Names()
    const links: PageLink[] = []
    for (const product of [...products].sort((a, b) => a.name.localeCompare(b.name))) {
      const text = productSheet(
        {
          product,
          files: this.#firmwareOf(product, 'products'),
          recoveryFiles: this.#firmwareOf(product, 'recovers'),
          notes: await this.#notes(product),
          recovery: recovery.filter((one) =>
            one.products.some((of) => productKey(of) === productKey(product)),
          ),
        },
        this.#deps.organization.name,
      )
      const path = await this.#kit.write(
        folder,
        names.next(product.name, 'Product'),
        text,
        identityOf(product),
      )
      links.push({ name: product.name, path })
    }
    return links
  }

  async #notes(product: Product): Promise<readonly ReleaseNote[]> {
    try {
      return (await this.#deps.releaseNotes.get(identityOf(product))).notes
    } catch (error) {
      if (!(error instanceof Failed) || !isKind(error.failure, 'not-found'))
        this.#lacks(`Release notes of ${nameAndIds(product)}`, error)
      return []
    }
  }

  #lacks(what: string, error: unknown): void {
    if (!(error instanceof Failed) || this.#task.signal.aborted) throw error
    this.#kit.missing.push({ what, reason: reasonOf(error.failure) })
  }

  async #roomSheets(): Promise<KitIndex['sheets']> {
    const { rooms, devices } = this.#contents
    const { organization } = this.#deps
    const sheets = new Map<string | null, { name: string; location: string | null; devices: SheetDevice[] }>()
    const sheetOf = (id: string | null, name: string, location: string | null): SheetDevice[] => {
      const sheet = sheets.get(id) ?? { name, location, devices: [] }
      sheets.set(id, sheet)
      return sheet.devices
    }
    const known = new Set(devices.map(({ id }) => id))
    for (const device of devices) {
      const { room, productId, name, userName, ipAddress, macAddress } = device
      const title = room === null ? 'Devices without a room' : (room.name ?? room.id)
      sheetOf(room?.id ?? null, title, room?.location ?? null).push({
        product: device.productName,
        serial: device.serialNumber,
        version: device.firmwareVersion,
        status: device.status,
        lastSeenAt: device.lastSeenAt,
        files:
          productId === null
            ? []
            : this.#firmwareFor({ vendorId: organization.vendorId, productId }, device.variantType),
        people: this.#wanted.withPeople ? [name, userName, ipAddress, macAddress] : null,
      })
    }
    // For some devices only the room's record has data.
    for (const { id, name, location, devices: listed } of rooms)
      sheetOf(id, name ?? id, location).push(
        ...(listed ?? [])
          .filter((device) => !known.has(device.id))
          .map((device) => ({
            product: device.productName,
            serial: device.serialNumber,
            version: device.firmwareVersion,
            status: device.status,
            lastSeenAt: device.lastSeenAt,
            files: [],
            people: this.#wanted.withPeople ? [device.name, null, null, null] : null,
          })),
      )
    if (sheets.size === 0) return []
    const folder = await this.#kit.folder('rooms')
    const names = new Names()
    const written: KitIndex['sheets'][number][] = []
    for (const sheet of [...sheets.values()].sort((a, b) => a.name.localeCompare(b.name))) {
      const path = await this.#kit.write(
        folder,
        names.next(sheet.name, 'Room'),
        roomSheet(sheet, this.#deps.organization.name),
        null,
      )
      written.push({ ...sheet, path })
    }
    return written
  }
}

/** Page names in one folder: valid everywhere, and distinct on drives that ignore case. */
class Names {
  readonly #taken = new Set<string>()
  next(name: string, otherwise: string): string {
    for (let number = 1; ; number++) {
      const page = legalName(name, number === 1 ? '' : ` (${number})`, '.html', otherwise)
      if (this.#taken.has(page.toLowerCase())) continue
      this.#taken.add(page.toLowerCase())
      return page
    }
  }
}

export const kitHandlers = (
  deps: () => Promise<KitDeps>,
  { who, tasks }: { readonly who: string; readonly tasks: Tasks },
): Handlers<'kits'> => ({
  plan: (wanted) => tasks.run('kit-plan', async (task) => planKit(wanted, await deps(), task)),
  make: (wanted) => tasks.run('kit', async (task) => makeKit(wanted, who, await deps(), task)),
})
