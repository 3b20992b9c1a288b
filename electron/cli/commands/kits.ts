import { join, resolve } from 'node:path'
import { openFolders } from '../../adapters/folders.ts'
import type { DeviceSelection } from '../../contract/api/devices.ts'
import type { ProductId } from '../../contract/api/firmware.ts'
import { flag, show, text, type Command, type LoneCommand, type Terminal } from '../command.ts'
import { UsageError } from '../grammar.ts'
import { endCut, unlessInterrupted } from '../interrupted.ts'
import { productTyped } from '../product-typed.ts'
import { counted } from '../table.ts'

export const verifyKitCommand = {
  name: 'kit verify',
  operands: ['FOLDER'],
  summary: 'checks the files of a site kit against its manifest: shows damage, not origin',
  runAlone: async (given, terminal) => {
    const {
      isComplete,
      lacks: notIncluded,
      ...verified
    } = await (
      await import('../own-core.ts')
    ).verifyKit(
      resolve(terminal.folder, given.operands[0] ?? ''),
      openFolders(() => ''),
      {
        signal: new AbortController().signal,
        step: (_, done, total) => terminal.progress(`${done} of ${counted(total ?? 0, 'file')} read`),
      },
    )
    terminal.progress(null)
    const { files, ok, changed, missing, extra } = verified
    show(given, terminal, { ...verified, notIncluded }, () => {
      if (missing.includes('manifest.json')) return 'This is not a site kit: it has no manifest.json.'
      return [
        `${ok} of ${counted(files, 'file')} match the manifest.`,
        ...changed.map((path) => `changed  ${path}`),
        ...missing.map((path) => `missing  ${path}`),
        ...extra.map((path) => `extra    ${path}`),
        ...notIncluded.map(({ what, reason }) => `not included  ${what}: ${reason}`),
        'The manifest shows whether files were damaged or changed, not who made them.',
      ]
    })
    const isWhole = changed.length + missing.length === 0
    if (isWhole && !isComplete) terminal.say('The kit is not complete: run headroom kit make again.')
    if (!isWhole) return 3
    return extra.length > 0 || notIncluded.length > 0 || !isComplete ? 4 : 0
  },
} satisfies LoneCommand

/** An empty filter means everything, as in the lists. */
const matching = (where: string | null): DeviceSelection | null =>
  where === null ? null : { kind: 'matching', where, except: [] }

export const kitCommands: readonly Command[] = [
  {
    name: 'kit make',
    options: {
      rooms: {
        type: 'string',
        help: 'rooms that match a filter, with their devices, as in the command rooms',
      },
      devices: { type: 'string', help: 'devices that match a filter, as in the command devices' },
      product: { type: 'string', multiple: true, help: 'a product; can be repeated' },
      to: { type: 'string', help: 'the folder: empty, new, or an unfinished kit to continue' },
      version: { type: 'string', help: 'latest: use the latest version even if another one is approved' },
      'with-people': {
        type: 'boolean',
        help: 'include names of devices and users, IP and MAC addresses',
      },
    },
    summary:
      'puts firmware, notes, recovery steps and room sheets into a folder, for a visit without network access',
    run: async (core, given, terminal) => {
      const [rooms, devices, to] = [text(given, 'rooms'), text(given, 'devices'), text(given, 'to')]
      const typed = (given.options['product'] ?? []) as readonly string[]
      if (to === null) throw new UsageError('kit make needs --to FOLDER.')
      if (rooms === null && devices === null && typed.length === 0)
        throw new UsageError('kit make needs --rooms, --devices or --product.')
      const version = text(given, 'version') ?? 'approved'
      if (version !== 'latest' && version !== 'approved')
        throw new UsageError('kit make: --version is latest or approved.')
      const products: ProductId[] = []
      for (const one of typed) {
        const { vendorId, productId } = await productTyped(core, one, terminal)
        products.push({ vendorId, productId })
      }
      const folder = resolve(terminal.folder, to)
      const made = await unlessInterrupted(core, terminal, () =>
        core.handlers.kits.make({
          rooms: matching(rooms),
          devices: matching(devices),
          products,
          version,
          folder,
          withPeople: flag(given, 'with-people'),
        }),
      )
      if (made === null) {
        if (!(await isKit(folder, terminal))) return endCut(given, terminal)
        terminal.say('Stopped. The kit is not complete: run headroom kit make again.')
        return 4
      }
      show(given, terminal, made, () => [
        made.folder,
        `${counted(made.files, 'file')}, ${(made.bytes / 1_000_000).toFixed(1)} MB.`,
        ...made.missing.map(({ what, reason }) => `Not in the kit: ${what}. ${reason}`),
      ])
      const lacks = made.missing.length
      if (lacks === 0) return 0
      terminal.say(`${counted(lacks, 'part')} of the kit ${lacks === 1 ? 'is' : 'are'} missing.`)
      return 4
    },
  },
]

/** The manifest is written before the first file. */
const isKit = (folder: string, terminal: Terminal): Promise<boolean> =>
  terminal.readFile(join(folder, 'manifest.json')).then(
    () => true,
    () => false,
  )
