import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { eslintIn, oxlintIn } from './lint-in-own-tree.ts'

const root = resolve(import.meta.dirname, '../..')
/** Parsed once for each runtime: its programs have the same options. */
const files = new Map<string, ts.SourceFile | undefined>()

/** The error codes of the compiler for `code` as a file of `folder`, by the tsconfig of its runtime. */
function errorsOf(runtime: string, folder: string, code: string): readonly number[] {
  const config = join(root, runtime, 'tsconfig.json')
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, (file) => ts.sys.readFile(file)).config,
    ts.sys,
    dirname(config),
  )
  const planted = join(root, folder, 'planted.ts')
  const host = ts.createCompilerHost(options)
  const real = host.getSourceFile.bind(host)
  const parsed = (file: string, parse: () => ts.SourceFile | undefined): ts.SourceFile | undefined => {
    const known = files.get(`${runtime} ${file}`) ?? parse()
    files.set(`${runtime} ${file}`, known)
    return known
  }
  const program = ts.createProgram(
    [planted],
    { ...options, composite: false, emitDeclarationOnly: false, noEmit: true },
    {
      ...host,
      getSourceFile: (file, ...rest) =>
        file === planted ? ts.createSourceFile(file, code, rest[0]) : parsed(file, () => real(file, ...rest)),
    },
  )
  return program.getSemanticDiagnostics(program.getSourceFile(planted)).map((one) => one.code)
}

/** "Cannot find name", without and with the advice to add the types of the page or of Node. */
const [unknownName, noPage, noNode] = [2304, 2584, 2591]

test.each([
  ['electron/contract', 'electron/contract', 'export const x = document', [noPage]],
  ['electron/contract', 'electron/contract', 'export const x = process', [noNode]],
  ['electron/contract', 'electron/contract', 'export const x = setTimeout', [unknownName]],
  ['electron/core', 'electron/core/devices', 'export const x = document', [noPage]],
  ['electron/core', 'electron/core/devices', 'export const x = window', [unknownName]],
  ['electron', 'electron/adapters', 'export const x = document', [noPage]],
  ['electron', 'electron/cli', 'export const x = window', [unknownName]],
  ['electron', 'electron/demo', 'export const x = process', []],
  ['electron/main', 'electron/main', 'export const x = document', [noPage]],
  ['electron/main', 'electron/preload', 'export const x = document', [noPage]],
  ['renderer', 'renderer/devices', 'export const x = process', [noNode]],
  ['renderer', 'renderer/devices', 'export const x = Buffer', [noNode]],
  ['renderer', 'renderer/devices', 'export const x = document', []],
])('reports, by %s, in %s, for "%s": %j', (runtime, folder, code, codes) => {
  expect(errorsOf(runtime, folder, code)).toEqual(codes)
})

const unawaited = 'export const later = async (): Promise<number> => 1\nlater()\n'

test('lints components with types, alone, with two scripts or generic: reports a floating promise', async () => {
  const component = (...scripts: readonly string[]): string =>
    `${scripts.join('\n')}\n<template><p /></template>`
  const setup = '<script setup lang="ts"></script>'
  const rules = ['@typescript-eslint/no-floating-promises']
  expect(
    await eslintIn({
      'renderer/Alone.vue': component(
        `<script setup lang="ts">\n${unawaited.replace('export ', '')}</script>`,
      ),
      'renderer/Beside.vue': component(`<script lang="ts">\n${unawaited}</script>`, setup),
      'renderer/Generic.vue': component(
        `<script setup lang="ts" generic="Id extends string">\nconst later = async (): Promise<Id | null> => null\nlater()\n</script>`,
      ),
    }),
  ).toEqual({ 'renderer/Alone.vue': rules, 'renderer/Beside.vue': rules, 'renderer/Generic.vue': rules })
})

test('lints every other file with types: reports a floating promise in core, page, test and build', async () => {
  const folders = ['build', 'electron/core', 'renderer', 'tests']
  const planted = folders.map((folder) => `${folder}/planted.ts`)
  expect(
    await oxlintIn(Object.fromEntries(planted.map((file) => [file, unawaited])), '--type-aware'),
  ).toEqual(Object.fromEntries(planted.map((file) => [file, ['typescript/no-floating-promises']])))
})
