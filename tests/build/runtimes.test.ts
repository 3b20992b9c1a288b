import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** The error codes of the compiler for `code` as a file of `folder`, by the tsconfig of its runtime. */
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
])('reports, by %s, in %s, for "%s": %j', (runtime, folder, code, codes) => {
  expect(told(runtime, folder, code)).toEqual(codes)
})

/** The output of `command` in a separate tree with the project's rules and these files: no other types are involved. */
async function printed(files: Readonly<Record<string, string>>, command: readonly string[]): Promise<string> {
  const tree = await mkdtemp(join(tmpdir(), 'headroom-typed-lint-'))
  for (const [file, code] of Object.entries(files)) {
    await mkdir(dirname(join(tree, file)), { recursive: true })
    await writeFile(join(tree, file), code)
  }
  await mkdir(join(tree, 'build'), { recursive: true })
  for (const own of ['build/eslint-house-rules.js', 'eslint.config.js', '.oxlintrc.json', 'package.json'])
    await cp(join(root, own), join(tree, own))
  await writeFile(
    join(tree, 'tsconfig.json'),
    '{ "compilerOptions": { "strict": true, "types": [] }, "include": ["**/*.ts", "**/*.vue"] }',
  )
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'))
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: tree }).catch(
    (error: { stdout: string }) => error,
  )
  return stdout
}

const unawaited = 'export const later = async (): Promise<number> => 1\nlater()\n'

test('lints components with types: reports a floating promise', async () => {
  const results = JSON.parse(
    await printed(
      {
        'renderer/Planted.vue': `<script lang="ts">\n${unawaited}</script>\n<script setup lang="ts"></script>\n<template><p /></template>\n`,
      },
      [join(root, 'node_modules/eslint/bin/eslint.js'), 'renderer', '--format=json'],
    ),
  ) as readonly { readonly messages: readonly { readonly ruleId: string }[] }[]
  expect(results.flatMap(({ messages }) => messages.map(({ ruleId }) => ruleId))).toEqual([
    '@typescript-eslint/no-floating-promises',
  ])
})

test('lints every other file with types: reports a floating promise in core, page, test and build', async () => {
  const folders = ['build', 'electron/core', 'renderer', 'tests']
  const lines = await printed(
    Object.fromEntries(folders.map((folder) => [`${folder}/planted.ts`, unawaited])),
    [join(root, 'node_modules/oxlint/bin/oxlint'), '--type-aware', '--format=unix'],
  )
  expect(
    lines
      .split('\n')
      .filter((line) => line.includes('no-floating-promises'))
      .map((line) => line.split(':')[0])
      .sort(),
  ).toEqual(folders.map((folder) => `${folder}/planted.ts`))
})
