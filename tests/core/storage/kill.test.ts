import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { openDevices } from '../../../electron/core/devices/devices.ts'
import { FakeClock } from '../../fake-clock.ts'
import { count, kills } from '../../setup/cases.ts'
import { TemporaryHome } from '../../temporary-store.ts'

const program = join(inject('programs'), 'tests/core/storage/writing-program.mjs')
const due = kills(4)

let home: TemporaryHome
beforeEach(() => {
  home = new TemporaryHome()
})
afterEach(() => home.remove())

/**
 * Kills the program some turns of this event loop after a sync event, so at a random point of the next sync.
 * False: it ended before.
 */
async function killDuringSync(turns: number, spin: number): Promise<boolean> {
  const child = spawn(process.execPath, [program, home.folder], { stdio: ['ignore', 'pipe', 'ignore'] })
  let lines = 0
  for await (const chunk of child.stdout) {
    lines += String(chunk).split('\n').length - 1
    if (lines < turns) continue
    for (let turn = 0; turn < spin; turn++) await new Promise<void>((resolve) => void setImmediate(resolve))
    child.kill('SIGKILL')
    break
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.signalCode === 'SIGKILL'
}

it(
  `the store opens after ${due} kills during syncs, with every page written completely or not at all`,
  { timeout: 300_000 + due * 10_000 },
  async () => {
    let killed = 0
    for (let kill = 0; kill < due; kill++) {
      killed += Number(await killDuringSync(1 + (kill % 2), kill * 400))
      const clock = new FakeClock()
      const store = await home.openStore(clock)
      expect([store.problems(), store.rebuilt]).toEqual([[], []])
      const slice = await openDevices({ store, clock }).slice('org', {
        where: '',
        sort: [{ column: 'name', descending: false }],
        start: 0,
        count: 1,
      })
      expect([slice.total, slice.all]).toEqual([500, 500])
      const differing = await store.database.query(
        `SELECT d.id FROM device_row d JOIN raw_json j USING (row_id) WHERE d.name <> json_extract(j.json, '$.name') OR NOT EXISTS (
         SELECT 1 FROM device_search WHERE rowid = d.row_id)`,
      )
      const mixed = await store.database.query(
        `SELECT substr(id, 1, 7) AS page, count(DISTINCT substr(name, 1, instr(name, ' device'))) AS turns FROM device_row GROUP BY 1 HAVING turns > 1`,
      )
      expect([differing, mixed]).toEqual([[], []])
      await store.close()
    }
    count('kills', due, killed)
  },
)
