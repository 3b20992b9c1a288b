import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../renderer')

/** The number of declarations in the styles of the page, all and distinct, and by folder. */
export function run(): Promise<object> {
  const folders: Record<string, number> = {}
  const declarations = globSync('**/*.{vue,css}', { cwd: folder }).flatMap((file) => {
    const found = declarationsOf(stylesOf(file, readFileSync(join(folder, file), 'utf8')))
    const name = file.split(/[/\\]/)[0]!
    folders[name] = (folders[name] ?? 0) + found.length
    return found
  })
  return Promise.resolve({
    declarations: declarations.length,
    different: new Set(declarations).size,
    folders: Object.entries(folders)
      .toSorted(([, a], [, b]) => b - a)
      .map(([name, count]) => ({ name, declarations: count })),
  })
}

const stylesOf = (file: string, text: string): string =>
  file.endsWith('.css')
    ? text
    : [...text.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, style]) => style).join('\n')

/** Nested rules count separately: only the text between the innermost braces is counted. */
const declarationsOf = (styles: string): readonly string[] =>
  [...styles.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/\{([^{}]*)\}/g)]
    .flatMap(([, inside]) => inside!.split(';'))
    .map((one) => one.trim().replaceAll(/\s+/g, ' '))
    .filter((one) => one !== '')
