import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const renderer = resolve(import.meta.dirname, '../../renderer')

const colour =
  /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(|\b(?:white|black|red|green|blue|orange|yellow|gr[ae]y)\b/i
/** Points are for print, which has its own sizes. */
const length = /\d(?:px|r?em|%)/

/** Declarations of a style sheet with a colour, a font size or a radius that is no token. */
function withoutToken(css: string): string[] {
  const declarations = css
    .replaceAll(/\/\*.*?\*\//gs, '')
    .matchAll(/(?<=[{;\s])([a-z-]+)\s*:\s*([^;{}]+)(?=[;}])/g)
  return [...declarations].flatMap(([, property = '', value = '']) => {
    const own = value.replaceAll(/var\([^()]*\)/g, '')
    const size = /^font(-size)?$/.test(property)
      ? own.replace(/\/\s*[\d.]+\w*/, '')
      : property.endsWith('radius')
        ? own
        : ''
    return (/^--|^content$/.test(property) ? false : colour.test(own) || length.test(size))
      ? [`${property}: ${value.trim()}`]
      : []
  })
}
const stylesOf = (path: string): string =>
  path.endsWith('.vue')
    ? [...readFileSync(path, 'utf8').matchAll(/<style[^>]*>(.*?)<\/style>/gs)]
        .map(([, css]) => css)
        .join('\n')
    : readFileSync(path, 'utf8')

test('uses only colours, font sizes and radii of styles/tokens.css on the page', () => {
  const paths = globSync('**/*.{vue,css}', { cwd: renderer }).filter((path) => !path.endsWith('tokens.css'))
  expect(paths.length).toBeGreaterThan(100)
  expect(
    paths.flatMap((path) => withoutToken(stylesOf(join(renderer, path))).map((found) => `${path}: ${found}`)),
  ).toEqual([])
})

test.each([
  ['color: #fff'],
  ['border: 1px solid rgb(0 0 0 / 0.4)'],
  ['background: white'],
  ['background: linear-gradient(var(--surface), oklch(1 0 0))'],
  ['font-size: 12px'],
  ['font: 500 0.9em/1 var(--font)'],
  ['border-radius: 50%'],
  ['border-start-start-radius: 3px'],
])('finds a value that is no token in "%s"', (declaration) => {
  expect(withoutToken(`.a { ${declaration}; }`)).toEqual([declaration])
})
test.each([
  ['color: var(--ink)'],
  ['font: 500 var(--text-xs) / 14px var(--font-mono)'],
  ['border-radius: var(--radius-s) var(--radius-s) 0 0'],
  ['font-size: 11pt'],
  ['border: 1px solid var(--line)'],
  ['white-space: nowrap'],
])('finds none in "%s"', (declaration) => {
  expect(withoutToken(`.a { ${declaration}; }`)).toEqual([])
})
