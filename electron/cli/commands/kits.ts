import { resolve } from 'node:path'
import { openFolders } from '../../adapters/folders.ts'
import { verifyKit } from '../../core/kits/kits.ts'
import { show, type LoneCommand } from '../command.ts'
import { counted } from '../table.ts'

export const verifyKitCommand: LoneCommand = {
  name: 'kit verify',
  operands: ['FOLDER'],
  options: {},
  summary:
    'holds the files of a site kit against its manifest, with nothing but the folder: shows damage, not origin',
  runAlone: async (given, terminal) => {
    const { isComplete, lacks, ...verified } = await verifyKit(
      resolve(terminal.folder, given.operands[0] ?? ''),
      openFolders(() => ''),
      {
        signal: new AbortController().signal,
        step: (_, done, total) => terminal.progress(`${done} of ${counted(total ?? 0, 'file')} read`),
      },
    )
    terminal.progress(null)
    const { files, ok, changed, missing, extra } = verified
    show(given, terminal, verified, () => [
      `${ok} of ${counted(files, 'file')} as the manifest says.`,
      ...changed.map((path) => `changed  ${path}`),
      ...missing.map((path) => `missing  ${path}`),
      ...extra.map((path) => `extra    ${path}`),
      'The manifest shows whether files were damaged or changed, not who made them.',
    ])
    for (const { what, reason } of lacks) terminal.say(`Not in the kit: ${what}. ${reason}`)
    const isWhole = changed.length + missing.length === 0
    if (isWhole && !isComplete) terminal.say('The kit was not made to its end: run headroom kit make again.')
    if (!isWhole) return 3
    return extra.length > 0 || !isComplete ? 4 : 0
  },
}
