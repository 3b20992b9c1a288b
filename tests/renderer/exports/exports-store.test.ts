import { describe, expect, it } from 'vitest'
import { useExports } from '../../../renderer/exports/exports-store.ts'
import { openCore, settle } from '../core.ts'

const subject = {
  of: 'devices',
  selection: { kind: 'matching', where: 'status:offline', except: [] },
  sort: [],
} as const
const offer = {
  title: 'Export',
  choices: [{ label: 'All', count: 3, subject }],
  columns: ['name'],
  viewName: 'Mine',
} as const
const answer = { subject, format: 'jsonl', columns: ['name'], delimiter: ',', timeZone: 'UTC' } as const

describe('exporting', () => {
  it('exports the rows and columns of the dialog under the name of the view', async () => {
    const core = await openCore()
    const exports = useExports()
    exports.ask(offer)
    await exports.start(answer)
    expect(core.requested.find((one) => one.channel === 'exports.start')?.argument).toEqual({
      ...answer,
      viewName: 'Mine',
    })
    expect([exports.offer, exports.jobs.length]).toEqual([null, 1])
  })
  it('keeps the dialog with the reason when it cannot begin', async () => {
    const core = await openCore()
    core.fail('exports.start', { kind: 'too-busy', waiting: 3 })
    const exports = useExports()
    exports.ask(offer)
    await exports.start(answer)
    expect([exports.offer, exports.failure?.kind]).toEqual([offer, 'too-busy'])
  })
  it('begins with the format used last', async () => {
    const core = await openCore()
    const exports = useExports()
    exports.ask(offer)
    await exports.start(answer)
    await settle()
    expect(core.requested.find((one) => one.channel === 'app.setPreferences')?.argument).toEqual({
      exportFormat: 'jsonl',
      exportDelimiter: ',',
    })
  })
})
