import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { piecesOf } from '../../../renderer/parts/json-pieces.ts'
import { markOfStatus, wordOfStatus } from '../../../renderer/parts/status-kind.ts'
import { fittingColumns } from '../../../renderer/parts/table-columns.ts'

describe('status words', () => {
  it.each([
    ['online', 'ok', 'Online'],
    ['Connected', 'ok', 'Connected'],
    ['offline', 'off', 'Offline'],
    ['unknown', 'unknown', 'Unknown'],
    ['rebooting', 'busy', 'Rebooting'],
    ['gone', 'off', 'Gone'],
    ['InMaintenance', 'warn', 'InMaintenance'],
    ['FirmwareUpdateFailed', 'bad', 'FirmwareUpdateFailed'],
    ['constructor', 'warn', 'constructor'],
    ['', 'warn', ''],
  ])('%s is marked %s and reads %s', (status, mark, word) => {
    expect([markOfStatus(status), wordOfStatus(status)]).toEqual([mark, word])
  })
})

describe('JSON in colours', () => {
  it('never changes a character, whatever the record holds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const lines = JSON.stringify(value, null, 2).split('\n')
        expect(
          lines.map((line) =>
            piecesOf(line)
              .map((piece) => piece.text)
              .join(''),
          ),
        ).toEqual(lines)
      }),
    )
  })
  it('tells names from words and numbers', () => {
    expect(piecesOf('  "status": "on: off",')).toEqual([
      { kind: 'sign', text: '  ' },
      { kind: 'name', text: '"status"' },
      { kind: 'sign', text: ': ' },
      { kind: 'word', text: '"on: off"' },
      { kind: 'sign', text: ',' },
    ])
  })
})

describe('columns give way before text is cut', () => {
  it('keeps the order of the table, not of the priorities', () => {
    const columns = [
      { key: 'a', label: '', least: 100, priority: 2 },
      { key: 'b', label: '', least: 100, priority: 3 },
      { key: 'c', label: '', least: 100, priority: 1 },
    ] as const
    expect(fittingColumns(columns, 230).map((column) => column.key)).toEqual(['a', 'c'])
  })
})
