// Parses the scripts of components within one program, so that types are checked once: typescript-eslint alone begins anew with each component.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import tseslint from 'typescript-eslint'
import { parseForESLint as parseComponent } from 'vue-eslint-parser'

const folder = join(import.meta.dirname, '..', 'renderer')
const { fileNames, options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile).config,
  ts.sys,
  folder,
  { allowNonTsExtensions: true },
  undefined,
  undefined,
  [{ extension: '.vue', isMixedContent: true, scriptKind: ts.ScriptKind.Deferred }],
)

/**
 * The script of a component as vue-eslint-parser passes it: type parameters come before it, and two scripts are one. If the program had
 * another text, it would be made anew, and types checked anew, for that component.
 */
function scriptOf(path) {
  const text = readFileSync(path, 'utf8')
  const [script, ...others] = text.matchAll(/<script\b([^>]*)>([^]*?)<\/script>/g)
  if (script === undefined || (others.length === 0 && !script[1].includes('generic=')))
    return script?.[2] ?? ''
  let passed
  const listening = {
    parseForESLint(code, chosen) {
      if (chosen.project !== undefined) passed = code
      return tseslint.parser.parseForESLint(code, { ...chosen, project: undefined })
    },
  }
  parseComponent(text, { filePath: path, parser: listening, project: true, sourceType: 'module' })
  return passed
}

const host = ts.createCompilerHost(options, true)
const read = host.getSourceFile
host.getSourceFile = (path, version, ...more) =>
  path.endsWith('.vue')
    ? ts.createSourceFile(path, scriptOf(path), version, true, ts.ScriptKind.TS)
    : read(path, version, ...more)

let program
function parseForESLint(code, chosen) {
  // Expressions of a template have no types.
  if (chosen.project === undefined) return tseslint.parser.parseForESLint(code, chosen)
  program ??= ts.createProgram(fileNames, options, host)
  if (program.getSourceFile(chosen.filePath)?.text !== code)
    throw new Error(`${chosen.filePath} is in the program with another script`)
  return tseslint.parser.parseForESLint(code, { ...chosen, project: undefined, programs: [program] })
}

export default { parseForESLint }
