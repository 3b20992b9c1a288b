import { beforeAll, describe, expect, test } from 'vitest'
import { eslintIn, type Findings, oxlintIn } from './lint-in-own-tree.ts'

/** Code that is reported, by file, with the rule. */
const broken = [
  ['electron/core/devices/planted.ts', 'export const at = Date.now()', 'no-restricted-properties'],
  ['electron/core/devices/planted.ts', 'export const at = new Date()', 'local/real-time'],
  ['electron/core/devices/planted.ts', 'export const drawn = Math.random()', 'no-restricted-properties'],
  ['electron/core/devices/planted.ts', 'setTimeout(() => {}, 1)', 'no-restricted-globals'],
  ['electron/core/devices/planted.ts', 'setInterval(() => {}, 1)', 'no-restricted-globals'],
  ['electron/core/devices/planted.ts', "void fetch('https://example.com')", 'no-restricted-globals'],
  ['electron/core/devices/planted.ts', "console.log('x')", 'no-restricted-globals'],
  ['electron/core/devices/planted.ts', 'export const home = process.env.HOME', 'no-restricted-globals'],
  ['electron/core/devices/planted.ts', "import { app } from 'electron'\nvoid app", 'no-restricted-imports'],
  ['electron/cli/commands/planted.ts', "process.stdout.write('x')", 'local/terminal'],
  ['electron/cli/commands/planted.ts', "process.stderr.write('x')", 'local/terminal'],
  ['electron/cli/commands/planted.ts', "console.log('x')", 'no-restricted-globals'],
  ['renderer/rooms/planted.ts', "import { app } from 'electron'\nvoid app", 'no-restricted-imports'],
  ['electron/core/devices/utils.ts', 'export const x = 1', 'local/banned-names'],
  ['renderer/common/planted.ts', 'export const x = 1', 'local/banned-names'],
  ['electron/core/devices/device-helpers.ts', 'export const x = 1', 'local/banned-names'],
  ['electron/core/devices/everything.ts', "export * from './devices.ts'", 'local/no-barrel'],
  ['electron/core/devices/planted.ts', 'export const x: any = 1', 'typescript/no-explicit-any'],
  ['electron/core/devices/planted.ts', 'export const f = (x: number) => [x].map((x) => x)', 'no-shadow'],
  ['tests/core/devices/planted.test.ts', 'export const f = (x: number) => [x].map((x) => x)', 'no-shadow'],
  ['tests/core/devices/planted.test.ts', 'setTimeout(() => {}, 1)', 'no-restricted-globals'],
  ['electron/core/devices/planted.ts', "export const x = failure.kind === 'offline'", 'local/failure-kind'],
  [
    'electron/core/devices/planted.ts',
    "export const x = error.failure?.kind !== 'offline'",
    'local/failure-kind',
  ],
  ['electron/cli/planted.ts', "export const x = ['offline'].includes(failure.kind)", 'local/failure-kind'],
  ['renderer/rooms/planted.ts', 'export const x = mild.has(store.failure.kind)', 'local/failure-kind'],
  ['electron/core/devices/planted.ts', 'export const x = waits[failure.kind]', 'local/failure-kind'],
  ['electron/main/planted.ts', 'switch (failure.kind) { default: }', 'local/failure-kind'],
] as const

/** State that an answer changes although a later question may have been asked. */
const late = [
  'export async function load() { const outcome = await api.get(); state.value = outcome }',
  'export async function load() { state.value = await api.get() }',
  'export async function load() { await api.get(); state.value.rows += 1 }',
  'export async function load() { await api.get(); store.open = false }',
  'export async function load() { try { await api.get() } finally { state.value = false } }',
  'export const load = async () => { for (const one of all) { state.value = one; await api.get(one) } }',
  'export async function load() { for await (const one of all) state.value = one }',
  'export const load = () => api.get().then((outcome) => { state.value = outcome })',
  'export const load = () => api.get().finally(() => (state.value = false))',
  'let round = 0\nexport async function load() { const mine = ++round; await api.get(); return mine === round }',
  'let round = 0\nexport async function load() { round += 1; const mine = round; await api.get(); if (mine !== round) return 1 }',
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

/** Code that is accepted. */
const sound = [
  ['electron/core/devices/planted.ts', 'export const at = (now: number) => new Date(now).toISOString()'],
  ['electron/adapters/planted.ts', 'export const now = () => Date.now()'],
  ['electron/core/devices/devices.ts', "export { openDevices } from './device-rows.ts'"],
  ['electron/cli/terminal.ts', "process.stdout.write('x')"],
  ['electron/main/planted.ts', "import { app } from 'electron'\nvoid app"],
  ['renderer/rooms/planted.ts', 'element.textContent = name'],
  ['renderer/rooms/planted.ts', 'stream.write(name)'],
  ['renderer/rooms/planted.ts', "text('devices.tooltip')"],
  ['renderer/rooms/planted.ts', 'export async function load() { state.value = null; await api.get() }'],
  [
    'renderer/rooms/planted.ts',
    'export async function load() { await answer.take(api.get()); refreshNow() }',
  ],
  [
    'renderer/rooms/planted.ts',
    'export async function all() { const found = { rows: 0 }; for (let at = 0; at < 3; at += 1) { await api.get(at); found.rows += 1 } return found }',
  ],
  ['renderer/components/latest-result.ts', late[0]],
] as const

/** Files called "planted" get a unique name. */
const files = [
  ...broken,
  ...sound,
  ...late.map((code) => ['renderer/rooms/planted.ts', code] as const),
  ...markup.map((code) => ['renderer/rooms/planted.ts', code] as const),
].map(([path, code], index) => ({ path: path.replace('planted', `planted-${index}`), code }))
const pathOf = (wanted: string): string =>
  files.find(({ code, path }) => `${path.replace(/planted-\d+/, 'planted')} ${code}` === wanted)!.path

const script = (code: string): string =>
  `<script setup lang="ts">\n${code}\n</script>\n<template><p /></template>`
const templates = [
  '<p v-html="name" />',
  '<p :innerHTML="name" />',
  '<p .innerHTML="name" />',
  '<p :inner-html.prop="name" />',
  '<iframe :srcdoc="name" />',
  '<iframe srcdoc="x" />',
  '<p v-bind="{ innerHTML: name }" />',
  '<p @click="$event.target.innerHTML = name" />',
  '<p :ref="(box) => box.insertAdjacentHTML(0, name)" />',
] as const
const shadow = 'const f = (x: number) => [x].map((x) => x)\nf(1)'
const kindInScript = "defineExpose({ offline: props.failure?.kind === 'offline' })"
const kindInTemplate = '<p v-if="failure?.kind !== 1" />'
const electron = "import { app } from 'electron'\nvoid app"

const components = [
  ...markup.map(script),
  ...templates.map((template) => `<template>\n  ${template}\n</template>`),
  script(electron),
  script(shadow),
  script(kindInScript),
  `<template>\n  ${kindInTemplate}\n</template>`,
].map((code, index) => ({ path: `renderer/rooms/Planted${index}.vue`, code }))
const componentOf = (code: string): string => components.find((one) => one.code.includes(code))!.path

/** What is reported for all planted files, in one run of each linter as in the project. */
let findings: Findings
let componentFindings: Findings

beforeAll(async () => {
  const planted = (those: readonly { readonly path: string; readonly code: string }[]) =>
    Object.fromEntries(those.map(({ path, code }) => [path, code]))
  findings = await oxlintIn(planted(files), 'electron', 'renderer', 'tests')
  componentFindings = await eslintIn(planted(components))
})

describe('lint rules', () => {
  test.each(broken)('report %s with "%s" by %s', (path, code, rule) => {
    expect(findings[pathOf(`${path} ${code}`)]).toEqual([rule])
  })

  test.each(sound)('accept %s with "%s"', (path, code) => {
    expect(findings[pathOf(`${path} ${code}`)]).toBeUndefined()
  })

  test.each(late)('report "%s", which may show a late answer', (code) => {
    expect(findings[pathOf(`renderer/rooms/planted.ts ${code}`)]).toEqual(['local/late-state'])
  })

  test.each(markup)('report a page with "%s", which renders a name as markup', (code) => {
    expect(new Set(findings[pathOf(`renderer/rooms/planted.ts ${code}`)])).toContain('local/no-html-text')
    expect(componentFindings[componentOf(code)]).toContain('local/no-html-text')
  })

  test.each(templates)('report a template with "%s", which renders a name as markup', (template) => {
    expect(componentFindings[componentOf(template)]).toContain('local/no-html-text')
  })

  test('do not let a component use a name for two things', () => {
    expect(componentFindings[componentOf(shadow)]).toContain('@typescript-eslint/no-shadow')
  })

  test.each([kindInScript, kindInTemplate])('report a component with "%s"', (code) => {
    expect(componentFindings[componentOf(code)]).toEqual(['local/failure-kind'])
  })

  test('do not let a component import electron', () => {
    expect(componentFindings[componentOf(electron)]).toContain('no-restricted-imports')
  })
})
