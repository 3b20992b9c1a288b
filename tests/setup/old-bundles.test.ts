import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { removeOldBundles } from './old-bundles.ts'

test('programs that another run may be starting are kept, those of the day before are not', () => {
  const cache = mkdtempSync(join(tmpdir(), 'headroom-bundles-'))
  onTestFinished(() => rmSync(cache, { recursive: true }))
  const now = 1_800_000_000_000
  const hours = { 'just-now': 0, 'fresh-now': 0, today: 23, yesterday: 25, 'fresh-yesterday': 25 }
  for (const [name, age] of Object.entries(hours)) {
    mkdirSync(join(cache, name))
    writeFileSync(join(cache, name, 'program.mjs'), '')
    utimesSync(join(cache, name), 0, now / 1000 - age * 3_600)
  }
  removeOldBundles(cache, now)
  expect(readdirSync(cache).sort()).toEqual(['fresh-now', 'just-now', 'today'])
})
