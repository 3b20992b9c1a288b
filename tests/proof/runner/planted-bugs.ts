import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseSync } from 'vite'
import { parse } from 'vue/compiler-sfc'

const root = resolve(import.meta.dirname, '../../..')

/** A bug that is planted in a copy of the sources, to see whether a test notices it. */
export interface PlantedBug {
  /** Its area and a number: `jobs-4`. */
  readonly id: string
  readonly file: string
  /** Occurs once in the file. */
  readonly old: string
  readonly new: string
  /** What it breaks. */
  readonly says: string
  /** The closest folders and files of tests. */
  readonly tests: readonly string[]
}

export const plantedBugs = JSON.parse(
  readFileSync(join(root, 'tests/proof/planted-bugs.json'), 'utf8'),
) as readonly PlantedBug[]

/** The file with the bug. Throws an Error if it does not apply any more, or would not even be parsed. */
export function withBug({ id, file, old, new: instead }: PlantedBug): string {
  const [before, after, ...others] = readFileSync(join(root, file), 'utf8').split(old)
  if (after === undefined || others.length > 0)
    throw new Error(
      `${id} of planted-bugs.json does not apply any more: its text is ${after === undefined ? 'not' : 'more than once'} in ${file}. Give it the text of now, or plant another bug.`,
    )
  const planted = `${before}${instead}${after}`
  const [fault] = faultsOf(file, planted)
  if (fault !== undefined) throw new Error(`${id} of planted-bugs.json cannot be parsed: ${fault.message}`)
  return planted
}

function faultsOf(file: string, text: string): readonly { readonly message: string }[] {
  if (!file.endsWith('.vue')) return parseSync(file, text).errors
  const { descriptor, errors } = parse(text)
  return [...errors, ...parseSync('script.ts', descriptor.scriptSetup?.content ?? '').errors]
}
