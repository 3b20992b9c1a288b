import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { ESLint } from 'eslint'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** The codes of what the compiler says of `code` as a file of `folder`, by the tsconfig of its runtime. */
function told(runtime: string, folder: string, code: string): readonly number[] {
  const config = join(root, runtime, 'tsconfig.json')
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, (file) => ts.sys.readFile(file)).config,
    ts.sys,
    dirname(config),
  )
  const planted = join(root, folder, 'planted.ts')
  const host = ts.createCompilerHost(options)
  const real = host.getSourceFile.bind(host)
  const program = ts.createProgram(
    [planted],
    { ...options, composite: false, emitDeclarationOnly: false, noEmit: true },
    {
      ...host,
      getSourceFile: (file, ...rest) =>
        file === planted ? ts.createSourceFile(file, code, rest[0]) : real(file, ...rest),
    },
  )
  return program.getSemanticDiagnostics(program.getSourceFile(planted)).map((one) => one.code)
}

/** Cannot find the name; the same with the advice to add the page's or Node's types. */
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
])('by %s, in %s, "%s" is told as %j', (runtime, folder, code, codes) => {
  expect(told(runtime, folder, code)).toEqual(codes)
})

test('the types of a component are known to lint: a promise that nothing waits for is told', async () => {
  const [result] = await new ESLint({ cwd: root }).lintText(
    '<script setup lang="ts">\nconst later = async () => 1\nlater()\n</script>\n<template><p /></template>\n',
    { filePath: join(root, 'renderer/parts/AgeText.vue') },
  )
  expect(result?.messages.map(({ ruleId }) => ruleId)).toEqual(['@typescript-eslint/no-floating-promises'])
})

test('so are the types of every other file: a promise that nothing waits for is told in core, page, test and build', async () => {
  const tree = await mkdtemp(join(tmpdir(), 'headroom-typed-lint-'))
  for (const folder of ['electron/core', 'renderer', 'tests', 'build']) {
    await mkdir(join(tree, folder), { recursive: true })
    await writeFile(
      join(tree, folder, 'planted.ts'),
      'export const later = async (): Promise<number> => 1\nlater()\n',
    )
  }
  await cp(join(root, 'build/eslint-house-rules.js'), join(tree, 'build/eslint-house-rules.js'))
  await writeFile(join(tree, 'tsconfig.json'), '{ "compilerOptions": { "strict": true, "types": [] } }')
  await cp(join(root, '.oxlintrc.json'), join(tree, '.oxlintrc.json'))
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'))
  const command = [join(root, 'node_modules/oxlint/bin/oxlint'), '--type-aware', '--format=unix']
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: tree }).catch(
    (error: { stdout: string }) => error,
  )
  expect(
    stdout
      .split('\n')
      .filter((line) => line.includes('no-floating-promises'))
      .map((line) => line.split(':')[0])
      .sort(),
  ).toEqual(['build/planted.ts', 'electron/core/planted.ts', 'renderer/planted.ts', 'tests/planted.ts'])
})
