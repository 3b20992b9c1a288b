import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { openJournal } from '../../../electron/core/journal/journal.ts'
import { openWorkbook } from '../../../electron/core/storage/workbook.ts'
import { count, kills } from '../../setup/cases.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { fastClock as clock } from './fast-clock.ts'

const program = join(inject('programs'), 'tests/core/writes/writing-program.mjs')
const due = kills(3)

interface Sent {
  readonly name: string
  readonly deviceIds: readonly string[]
  readonly at: number
}

let home: TemporaryHome
let running: ChildProcess[]
beforeEach(() => {
  home = new TemporaryHome()
  running = []
})
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL')
  await home.remove()
})

it(
  `${due} programs one after the other, each killed during a write: 60 s between writes to one device, and every write is in the journal`,
  { timeout: 300_000 + due * 20_000 },
  async () => {
    const sent: Sent[] = []
    const start = (
      name: string,
      endless = 0,
    ): { child: ChildProcess; wrote: (count: number) => Promise<void> } => {
      const child = spawn(process.execPath, [program, home.folder, name, String(endless)], {
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      running.push(child)
      let own = 0
      const waiting: { count: number; go: () => void }[] = []
      let errors = ''
      child.stderr.setEncoding('utf8').on('data', (piece: string) => (errors += piece))
      const ended = new Promise<never>((_, reject) => {
        child.once(
          'close',
          (code, signal) => void reject(new Error(`${name} ended with ${String(code ?? signal)}: ${errors}`)),
        )
      })
      ended.catch(() => undefined)
      createInterface({ input: child.stdout }).on('line', (line) => {
        sent.push(JSON.parse(line) as Sent)
        own++
        for (const one of waiting) if (own >= one.count) one.go()
      })
      const wrote = (lines: number): Promise<void> =>
        new Promise((go) => (own >= lines ? go() : waiting.push({ count: lines, go })))
      return { child, wrote: (lines) => Promise.race([wrote(lines), ended]) }
    }
    const kill = async (child: ChildProcess): Promise<void> => {
      const gone = once(child, 'close')
      child.kill('SIGKILL')
      await gone
    }

    let killed = 0
    for (; killed < due; killed++) {
      const last = 1 + (killed % 2)
      const one = start(`killed-${killed}`, last)
      // It was just sent and never ends, so a kill that comes late on a busy machine is still during it.
      await one.wrote(last)
      await kill(one.child)
    }
    const steady = start('steady')
    await steady.wrote(due + 2)
    await kill(steady.child)

    const gaps: number[] = []
    for (const device of ['D1', 'D2', 'D3']) {
      const times = sent.filter((one) => one.deviceIds.includes(device)).map((one) => one.at)
      times.sort((a, b) => a - b)
      for (const [index, at] of times.entries()) if (index > 0) gaps.push(at - (times[index - 1] ?? 0))
    }
    // A write lasts 20 s, unless its program was killed: its connection ended with it.
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(60_000)
    expect(gaps.length).toBeGreaterThan(due)

    const workbook = await openWorkbook({ clock, databases: home.databases, log: { write: () => undefined } })
    const journal = openJournal({ workbook, clock, who: 'test' })
    const { lines } = await journal.list('org', { where: '', subjectId: null, start: 0, count: 500 })
    // A program that was killed between a journal line and the first byte has one additional line.
    for (const name of new Set(sent.map((one) => one.name))) {
      const ofSent = sent.filter((one) => one.name === name).map((one) => one.deviceIds)
      const ofLines = lines.filter((line) => line.who === name).map((line) => line.deviceIds)
      expect([ofLines.toReversed().slice(0, ofSent.length), ofLines.length - ofSent.length]).toEqual([
        ofSent,
        expect.toBeOneOf([0, 1]),
      ])
    }
    // Each start ended the journal line that the killed program left open.
    await journal.endLeftOpen()
    const left = await journal.list('org', {
      where: 'outcome:unconfirmed',
      subjectId: null,
      start: 0,
      count: 500,
    })
    expect(
      left.lines
        .filter((line) => line.endFoundLater && line.who !== 'steady')
        .map((line) => line.who)
        .sort(),
    ).toEqual(Array.from({ length: due }, (_, index) => `killed-${index}`).sort())
    await workbook.close()
    count('kills', due, killed)
  },
)
