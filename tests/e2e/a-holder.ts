import { spawn, type ChildProcess } from 'node:child_process'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from '@playwright/test'
import type { Home } from './program.ts'

const program = resolve(import.meta.dirname, '../adapters/owner/a-holder.ts')

/** Another program that owns the data folder until it is killed. */
export async function startHolder(home: Home): Promise<ChildProcess> {
  const holder = spawn(process.execPath, ['--no-warnings', program, join(home.folder, 'home')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: holder.stdout })[Symbol.asyncIterator]()
  await lines.next()
  holder.stdin.write('take\n')
  expect((await lines.next()).value).toBe('owned')
  return holder
}
