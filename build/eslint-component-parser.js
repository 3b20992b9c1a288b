// Parses the scripts of components within one program, so that types are checked once: typescript-eslint alone begins anew with each component.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import tseslint from 'typescript-eslint'

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

/** The script of each component as vue-eslint-parser passed it, by path. */
const passed = new Map()
const scriptOf = (path) =>
  passed.get(path) ?? /<script\b[^>]*>([^]*?)<\/script>/.exec(readFileSync(path, 'utf8'))?.[1] ?? ''

const host = ts.createCompilerHost(options, true)
const read = host.getSourceFile
const sources = new Map()
host.getSourceFile = (path, version, ...more) => {
  const text = path.endsWith('.vue') ? scriptOf(path) : undefined
  const known = sources.get(path)
  if (known !== undefined && (text === undefined || known.text === text)) return known
  const source =
    text === undefined
      ? read(path, version, ...more)
      : ts.createSourceFile(path, text, version, true, ts.ScriptKind.TS)
  sources.set(path, source)
  return source
}

let program
function parseForESLint(code, chosen) {
  // Expressions of a template have no types.
  if (chosen.project === undefined) return tseslint.parser.parseForESLint(code, chosen)
  program ??= ts.createProgram(fileNames, options, host)
  // vue-eslint-parser puts the type parameters of a generic component before its script.
  if (program.getSourceFile(chosen.filePath)?.text !== code) {
    passed.set(chosen.filePath, code)
    program = ts.createProgram(fileNames, options, host, program)
  }
  return tseslint.parser.parseForESLint(code, { ...chosen, project: undefined, programs: [program] })
}

export default { parseForESLint }
