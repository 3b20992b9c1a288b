// @vitest-environment happy-dom
import { mount } from '@vue/test-utils'
import { expect, it } from 'vitest'
import QrCode from '../../../renderer/components/QrCode.vue'

const drawn = (text: string): { size: number; dark: ReadonlySet<string> } => {
  const svg = mount(QrCode, { props: { text, label: 'Link' } }).get('svg')
  const places = svg
    .get('path')
    .attributes('d')!
    .match(/\d+ \d+(?=h1v1h-1z)/g)!
  return { size: Number(svg.attributes('viewBox')!.split(' ')[2]), dark: new Set(places) }
}
const rowOf = ({ dark }: ReturnType<typeof drawn>, from: number, y: number): string =>
  Array.from({ length: 7 }, (_, x) => (dark.has(`${from + x} ${y}`) ? '#' : '.')).join('')

it('has three finder patterns within a quiet zone of four modules', () => {
  const code = drawn('https://firmware.example.com/a.zip?sig=kyOv%2F')
  const last = code.size - 4 - 7
  const finder = ['#######', '#.....#', '#.###.#', '#.###.#', '#.###.#', '#.....#', '#######']
  for (const [x, y] of [
    [4, 4],
    [last, 4],
    [4, last],
  ] as const)
    expect(finder.map((_, at) => rowOf(code, x, y + at))).toEqual(finder)
  const edge = [...code.dark].flatMap((place) => place.split(' ').map(Number))
  expect([Math.min(...edge), Math.max(...edge)]).toEqual([4, code.size - 5])
})

it('is larger for a longer text, and different for a different one', () => {
  expect(drawn('x'.repeat(300)).size).toBeGreaterThan(drawn('x').size)
  expect(drawn('https://a.example/1').dark).not.toEqual(drawn('https://a.example/2').dark)
})
