import { expect, it } from 'vitest'
import type { ComparedPair, ComparedRow, LikeA } from '../../../electron/contract/api/comparison.ts'
import { jobsOf, choiceKey } from '../../../renderer/comparison/like-a.ts'

const value = { state: 'known', value: 1, locked: false, readAt: 1 } as const
const row = (change: LikeA): ComparedRow => ({
  what: change.kind === 'update' ? 'firmware' : 'setting',
  name: change.kind === 'set' ? change.change.name : '',
  a: value,
  b: value,
  verdict: 'different',
  change,
  stays: null,
})
const set = (name: string): LikeA => ({ kind: 'set', change: { name, value: true } })
const update = (version: string): LikeA => ({ kind: 'update', version })
const pair = (b: string, latest: string, ...changes: readonly LikeA[]): ComparedPair => {
  const device = (id: string): NonNullable<ComparedPair['a']> => ({
    id,
    name: id,
    status: 'online',
    productId: 1,
    productName: null,
    variantType: null,
    serialNumber: null,
    firmwareVersion: null,
    firmware: { word: 'current', by: null, latest, why: null },
    observedAt: 1,
    gone: false,
    listed: true,
    settingsReadAt: 1,
  })
  return { role: 'panel', a: device(`as ${b}`), b: device(b), rows: changes.map(row) }
}
const jobs = (pairs: readonly ComparedPair[], isTicked: (key: string) => boolean = () => true) =>
  jobsOf({ pairs }, isTicked).map((work) => [
    work.kind === 'update-firmware' ? work.version : work.kind === 'change-settings' ? work.changes : null,
    work.selection.kind === 'picked' ? work.selection.ids : null,
  ])
const on = (name: string) => ({ name, value: true })

it('plans updates before settings, and devices with the same version or the same changes together', () => {
  expect(
    jobs([
      pair('bar', '9', set('zoom'), update('2.0')),
      pair('panel', '9', update('2.0'), set('zoom')),
      pair('speaker', '9', set('ring')),
    ]),
  ).toEqual([
    ['2.0', ['bar', 'panel']],
    [[on('zoom')], ['bar', 'panel']],
    [[on('ring')], ['speaker']],
  ])
})

it('plans other values of the same settings apart', () => {
  const off: LikeA = { kind: 'set', change: { name: 'zoom', value: false } }
  expect(jobs([pair('bar', '9', set('zoom')), pair('panel', '9', off)])).toEqual([
    [[on('zoom')], ['bar']],
    [[{ name: 'zoom', value: false }], ['panel']],
  ])
})

it('plans the updates of several products together where A runs the latest of each', () => {
  expect(jobs([pair('bar', '9.3', update('9.3')), pair('panel', '3.1', update('3.1'))])).toEqual([
    ['latest', ['bar', 'panel']],
  ])
})

it('leaves out what is not ticked', () => {
  const one = pair('bar', '9', set('zoom'), update('2.0'))
  expect(jobs([one], (key) => key !== choiceKey(one, one.rows[1]!))).toEqual([[[on('zoom')], ['bar']]])
})
