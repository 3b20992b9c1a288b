import { resolve } from 'node:path'
import { ESLint } from 'eslint'
import { describe, expect, test } from 'vitest'
import tseslint from 'typescript-eslint'

const root = resolve(import.meta.dirname, '../..')
// The planted files do not exist, so nothing is known of their types.
const eslint = new ESLint({
  cwd: root,
  overrideConfig: [
    tseslint.configs.disableTypeChecked,
    { languageOptions: { parserOptions: { projectService: false } } },
  ] as ESLint.Options['overrideConfig'] & object,
})

async function told(filePath: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: resolve(root, filePath) })
  return (result?.messages ?? []).map(({ ruleId }) => ruleId ?? 'unreadable')
}

describe('the rules of the house', () => {
  test.each([
    ['electron/core/devices/planted.ts', 'export const at = Date.now()', 'no-restricted-properties'],
    ['electron/core/devices/planted.ts', 'export const at = new Date()', 'house/real-time'],
    ['electron/core/devices/planted.ts', 'export const drawn = Math.random()', 'no-restricted-properties'],
    ['electron/core/devices/planted.ts', 'setTimeout(() => {}, 1)', 'no-restricted-globals'],
    ['electron/core/devices/planted.ts', 'setInterval(() => {}, 1)', 'no-restricted-globals'],
    ['electron/core/devices/planted.ts', "void fetch('https://example.com')", 'no-restricted-globals'],
    ['electron/core/devices/planted.ts', "console.log('x')", 'no-restricted-globals'],
    ['electron/core/devices/planted.ts', 'export const home = process.env.HOME', 'no-restricted-globals'],
    ['electron/core/devices/planted.ts', "import { app } from 'electron'\nvoid app", 'no-restricted-imports'],
    ['electron/cli/commands/planted.ts', "process.stdout.write('x')", 'no-restricted-syntax'],
    ['electron/cli/commands/planted.ts', "process.stderr.write('x')", 'no-restricted-syntax'],
    ['electron/cli/commands/planted.ts', "console.log('x')", 'no-restricted-globals'],
    ['renderer/rooms/planted.ts', "import { app } from 'electron'\nvoid app", 'no-restricted-imports'],
    ['electron/core/devices/utils.ts', 'export const x = 1', 'house/banned-names'],
    ['renderer/common/planted.ts', 'export const x = 1', 'house/banned-names'],
    ['electron/core/devices/device-helpers.ts', 'export const x = 1', 'house/banned-names'],
    ['electron/core/devices/everything.ts', "export * from './devices.ts'", 'house/no-barrel'],
    ['electron/core/devices/planted.ts', 'export const x: any = 1', '@typescript-eslint/no-explicit-any'],
    ['tests/core/devices/planted.test.ts', 'setTimeout(() => {}, 1)', 'no-restricted-globals'],
  ])('%s with "%s" is told by %s', async (file, code, rule) => {
    expect(await told(file, code)).toEqual([rule])
  })

  test.each([
    ['element.innerHTML = name'],
    ["element['innerHTML'] = name"],
    ['element[`outerHTML`] = name'],
    ['Object.assign(element, { innerHTML: name })'],
    ["element.insertAdjacentHTML('beforeend', name)"],
    ["frame.setAttribute('srcdoc', name)"],
    ['frame.srcdoc = name'],
    ["new DOMParser().parseFromString(name, 'text/html')"],
    ['document.createRange().createContextualFragment(name)'],
    ['element.setHTMLUnsafe(name)'],
    ['Document.parseHTMLUnsafe(name)'],
    ['document.write(name)'],
    ['element.ownerDocument.write(name)'],
    ['document.writeln(name)'],
    ["h('div', { innerHTML: name })"],
    ["chart({ tooltip: { trigger: 'axis' } })"],
    ["chart({ tooltip: { renderMode: 'html', formatter: () => name } })"],
  ])('a page that says "%s" takes a name for markup', async (code) => {
    expect(new Set(await told('renderer/rooms/planted.ts', code))).toContain('house/no-html-text')
    expect(
      new Set(await told('renderer/rooms/Planted.vue', `<script setup lang="ts">\n${code}\n</script>`)),
    ).toContain('house/no-html-text')
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
  ])('a template that says "%s" takes a name for markup', async (template) => {
    expect(
      new Set(await told('renderer/rooms/Planted.vue', `<template>\n  ${template}\n</template>`)),
    ).toContain('house/no-html-text')
  })

  test.each([
    ['element.textContent = name'],
    ['stream.write(name)'],
    ["chart({ tooltip: { renderMode: 'richText' } })"],
    ["text('devices.tooltip')"],
  ])('a page that says "%s" does not', async (code) => {
    expect(new Set(await told('renderer/rooms/planted.ts', code))).not.toContain('house/no-html-text')
  })

  test.each([
    ['electron/core/devices/planted.ts', 'export const at = (now: number) => new Date(now).toISOString()'],
    ['electron/adapters/planted.ts', 'export const now = () => Date.now()'],
    ['electron/core/devices/devices.ts', "export { openDevices } from './device-rows.ts'"],
    ['electron/cli/terminal.ts', "process.stdout.write('x')"],
    ['electron/main/planted.ts', "import { app } from 'electron'\nvoid app"],
  ])('%s with "%s" is in order', async (file, code) => {
    expect(await told(file, code)).toEqual([])
  })
})
