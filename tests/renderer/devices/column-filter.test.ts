import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DeviceColumn } from '../../../electron/contract/api/devices.ts'
import { parseFilter } from '../../../electron/contract/filter/filter-reader.ts'
import { deviceVocabulary } from '../../../electron/contract/filter/vocabularies.ts'
import {
  agePartsOf,
  columnsIn,
  isUsable,
  mayBeMissing,
  termOf,
  withColumn,
  type ColumnTerm,
} from '../../../renderer/devices/column-filter.ts'
import { columnFacts } from '../../../renderer/devices/device-columns.ts'

const is = (...values: string[]): ColumnTerm => ({ negated: false, comparison: 'is', values })
const has = (...values: string[]): ColumnTerm => ({ negated: false, comparison: 'has', values })

describe('the filter of a column writes the one filter text', () => {
  it.each<[string, DeviceColumn, ColumnTerm | null, string]>([
    ['', 'status', is('offline'), 'status:=offline'],
    [
      'anna',
      'productName',
      is('Jabra Speak2 75', 'Jabra Evolve2 65'),
      'anna product:="Jabra Speak2 75","Jabra Evolve2 65"',
    ],
    ['status:online anna', 'status', is('offline'), 'status:=offline anna'],
    ['serial:a anna SERIAL:"b"', 'serialNumber', has('c'), 'serial:c anna SERIAL:"b"'],
    ['serial:a SERIAL:"b"', 'serialNumber', null, 'SERIAL:"b"'],
    [
      'fw:behind fw:>=2 fw:<3',
      'firmwareVersion',
      { negated: false, comparison: '>', values: ['2.1'] },
      'fw:behind fw:>2.1 fw:<3',
    ],
    ['status:online anna', 'status', null, 'anna'],
    [
      'fw:behind',
      'firmwareVersion',
      { negated: false, comparison: '<', values: ['2.1'] },
      'fw:behind fw:<2.1',
    ],
    ['fw:<2.1 fw:behind', 'firmware', has('revoked'), 'fw:<2.1 fw:revoked'],
    ['fw:<2.1 fw:behind', 'firmware', null, 'fw:<2.1'],
    ['', 'roomName', is(''), 'room:=""'],
    ['', 'lastSeenAt', { negated: false, comparison: '>', values: ['7d'] }, 'age:>7d'],
    ['', 'approved', has('no'), 'approved:no'],
    ['', 'tags', { negated: true, comparison: 'is', values: ['spare'] }, '!tag:=spare'],
  ])('%s, %s', (where, column, term, written) => {
    expect(withColumn(where, column, term)).toBe(written)
  })
  it('keeps the filter of one column out of the others', () => {
    expect([...columnsIn('fw:behind age:>7d anna')].toSorted()).toEqual(['firmware', 'lastSeenAt'])
    expect(termOf('fw:<2.1', 'firmware')).toBeNull()
    expect(termOf('fw:<2.1', 'firmwareVersion')).toMatchObject({ comparison: '<', values: ['2.1'] })
  })
  it.each<[DeviceColumn, ColumnTerm, boolean]>([
    ['firmwareVersion', { negated: false, comparison: '<', values: ['2.1'] }, true],
    ['firmwareVersion', has('new'), false],
    ['productId', has('0x24B3'), true],
    ['productId', has('speak'), false],
    ['lastSeenAt', { negated: false, comparison: '>', values: ['d'] }, false],
  ])('%s accepts %o: %s', (column, term, usable) => {
    expect(isUsable(column, term)).toBe(usable)
  })
  it('offers "not known" if the filter language has it', () => {
    expect(columnFacts.map((one) => one.column).filter((column) => !mayBeMissing(column))).toEqual([
      'userOrRoom',
      'status',
      'lastSeenAt',
      'name',
      'firmware',
      'approved',
      'addedAt',
      'observedAt',
      'id',
    ])
  })
  it('splits an age into its fields', () => {
    expect([agePartsOf({ negated: false, comparison: '<', values: ['12h'] }), agePartsOf(null)]).toEqual([
      { older: false, amount: '12', unit: 'h' },
      { older: true, amount: '', unit: 'd' },
    ])
  })
  it('parses any values of any column again, beside any filter', () => {
    const columns = columnFacts
      .filter((one) => one.filter.by === 'words' || one.filter.by === 'text')
      .map((one) => one.column)
    fc.assert(
      fc.property(
        fc.constantFrom(...columns.filter((c) => c !== 'productId')),
        fc.array(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 3 }),
        (column, values) => {
          const where = withColumn('anna fw:behind', column, is(...values))
          expect([parseFilter(where, deviceVocabulary).problems, termOf(where, column)?.values]).toEqual([
            [],
            values,
          ])
        },
      ),
    )
  })
})
