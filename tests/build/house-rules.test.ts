import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { ESLint } from 'eslint'
import { beforeAll, describe, expect, test } from 'vitest'
import tseslint from 'typescript-eslint'

const root = resolve(import.meta.dirname, '../..')

/** What is reported, by file, code and rule. */
const broken = [
  ['electron/core/devices/planted.ts', 'export const at = Date.now()', 'no-restricted-properties'],
  ['electron/core/devices/planted.ts', 'export const at = new Date()', 'house/real-time'],
  ['electron/core/devices/planted.ts', 'export const drawn = Math.random()', 'no-restricted-properties'],
  ['electron/core/devices/planted.ts', 'setTimeout(() => {}, 1)', 'no-restricted-globals'],
  ['electron/core/devices/planted.ts', 'setInterval(() => {}, 1)', 'no-restricted-globals'],
  ['electron/core/devices/planted.ts', "void fetch('https://example.com')", 'no-restricted-globals'],
  ['electron/core/devices/planted.ts', "console.log('x')", 'no-restricted-globals'],
  ['electron/core/devices/planted.ts', 'export const home = process.env.HOME', 'no-restricted-globals'],
  ['electron/core/devices/planted.ts', "import { app } from 'electron'\nvoid app", 'no-restricted-imports'],
  ['electron/cli/commands/planted.ts', "process.stdout.write('x')", 'house/terminal'],
  ['electron/cli/commands/planted.ts', "process.stderr.write('x')", 'house/terminal'],
  ['electron/cli/commands/planted.ts', "console.log('x')", 'no-restricted-globals'],
  ['renderer/rooms/planted.ts', "import { app } from 'electron'\nvoid app", 'no-restricted-imports'],
  ['electron/core/devices/utils.ts', 'export const x = 1', 'house/banned-names'],
  ['renderer/common/planted.ts', 'export const x = 1', 'house/banned-names'],
  ['electron/core/devices/device-helpers.ts', 'export const x = 1', 'house/banned-names'],
  ['electron/core/devices/everything.ts', "export * from './devices.ts'", 'house/no-barrel'],
  ['electron/core/devices/planted.ts', 'export const x: any = 1', 'typescript/no-explicit-any'],
  ['tests/core/devices/planted.test.ts', 'setTimeout(() => {}, 1)', 'no-restricted-globals'],
] as const

const markup = [
  'element.innerHTML = name',
  "element['innerHTML'] = name",
  'element[`outerHTML`] = name',
  'Object.assign(element, { innerHTML: name })',
  "element.insertAdjacentHTML('beforeend', name)",
  "frame.setAttribute('srcdoc', name)",
  'frame.srcdoc = name',
  "new DOMParser().parseFromString(name, 'text/html')",
  'document.createRange().createContextualFragment(name)',
  'element.setHTMLUnsafe(name)',
  'Document.parseHTMLUnsafe(name)',
  'document.write(name)',
  'element.ownerDocument.write(name)',
  'document.writeln(name)',
  "h('div', { innerHTML: name })",
]

/** What is accepted. */
const sound = [
  ['electron/core/devices/planted.ts', 'export const at = (now: number) => new Date(now).toISOString()'],
  ['electron/adapters/planted.ts', 'export const now = () => Date.now()'],
  ['electron/core/devices/devices.ts', "export { openDevices } from './device-rows.ts'"],
  ['electron/cli/terminal.ts', "process.stdout.write('x')"],
  ['electron/main/planted.ts', "import { app } from 'electron'\nvoid app"],
  ['renderer/rooms/planted.ts', 'element.textContent = name'],
  ['renderer/rooms/planted.ts', 'stream.write(name)'],
  ['renderer/rooms/planted.ts', "text('devices.tooltip')"],
] as const

/** Files called planted get a unique name. */
const files = [
  ...broken,
  ...sound,
  ...markup.map((code) => ['renderer/rooms/planted.ts', code] as const),
].map(([path, code], index) => ({ path: path.replace('planted', `planted-${index}`), code }))
const pathOf = (wanted: string): string =>
  files.find(({ code, path }) => `${path.replace(/planted-\d+/, 'planted')} ${code}` === wanted)!.path

/** The rules that oxlint reports for each planted file, in one run over all of them as in the project. */
const told = new Map<string, string[]>()

beforeAll(async () => {
  const tree = await mkdtemp(join(tmpdir(), 'headroom-lint-'))
  for (const { path, code } of files) {
    await mkdir(dirname(join(tree, path)), { recursive: true })
    await writeFile(join(tree, path), `${code}\n`)
  }
  await mkdir(join(tree, 'build'))
  for (const own of ['.oxlintrc.json', 'build/eslint-house-rules.js'])
    await cp(join(root, own), join(tree, own))
  const command = [
    join(root, 'node_modules/oxlint/bin/oxlint'),
    '--format=json',
    'electron',
    'renderer',
    'tests',
  ]
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: tree }).catch(
    (error: { stdout: string }) => error,
  )
  const { diagnostics } = JSON.parse(stdout) as {
    readonly diagnostics: readonly { readonly filename: string; readonly code: string }[]
  }
  for (const { filename, code } of diagnostics)
    told.set(filename, [
      ...(told.get(filename) ?? []),
      code.replace(/^(?:eslint\()?(.*?)\)?$/, '$1').replace('(', '/'),
    ])
})

/** The planted component does not exist, so its types are unknown. */
const eslint = new ESLint({
  cwd: root,
  overrideConfig: [
    tseslint.configs.disableTypeChecked,
    { languageOptions: { parserOptions: { projectService: false } } },
  ] as ESLint.Options['overrideConfig'] & object,
})
async function toldOfComponent(code: string): Promise<string[]> {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: join(root, 'renderer/rooms/Planted.vue') })
  return (result?.messages ?? []).map(({ ruleId }) => ruleId ?? 'unreadable')
}

describe('lint rules', () => {
  test.each(broken)('report %s with "%s" by %s', (path, code, rule) => {
    expect(told.get(pathOf(`${path} ${code}`))).toEqual([rule])
  })

  test.each(sound)('accept %s with "%s"', (path, code) => {
    expect(told.get(pathOf(`${path} ${code}`))).toBeUndefined()
  })

  test.each(markup)('report a page with "%s", which renders a name as markup', async (code) => {
    expect(new Set(told.get(pathOf(`renderer/rooms/planted.ts ${code}`)))).toContain('house/no-html-text')
    expect(await toldOfComponent(`<script setup lang="ts">\n${code}\n</script>`)).toContain(
      'house/no-html-text',
    )
  })

  test.each([
    ['<p v-html="name" />'],
    ['<p :innerHTML="name" />'],
    ['<p .innerHTML="name" />'],
    ['<p :inner-html.prop="name" />'],
    ['<iframe :srcdoc="name" />'],
    ['<iframe srcdoc="x" />'],
    ['<p v-bind="{ innerHTML: name }" />'],
    ['<p @click="$event.target.innerHTML = name" />'],
    ['<p :ref="(box) => box.insertAdjacentHTML(0, name)" />'],
  ])('report a template with "%s", which renders a name as markup', async (template) => {
    expect(await toldOfComponent(`<template>\n  ${template}\n</template>`)).toContain('house/no-html-text')
  })

  test('do not let a component import electron', async () => {
    expect(
      await toldOfComponent(
        '<script setup lang="ts">\nimport { app } from \'electron\'\nvoid app\n</script>',
      ),
    ).toContain('no-restricted-imports')
  })
})
