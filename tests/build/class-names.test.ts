import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import { createServer } from 'vite'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const read = (pattern: string): string =>
  globSync(pattern, { cwd: root })
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n')

/** Every name after a dot: selectors of style sheets, of scripts and of tests. */
const afterDots = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/\.((?:\\.|[\w-])+)/g)].map(([, name = '']) => name.replaceAll('\\', '')))

async function utilities(): Promise<ReadonlySet<string>> {
  const server = await createServer({
    configFile: false,
    root: join(root, 'renderer'),
    logLevel: 'silent',
    appType: 'custom',
    server: { middlewareMode: true, ws: false, watch: null },
    plugins: [tailwindcss()],
  })
  try {
    return afterDots((await server.transformRequest('/styles/tailwind.css?direct'))?.code ?? '')
  } finally {
    await server.close()
  }
}

const together = [...read('renderer/**/*.vue').matchAll(/(?<![:\w-])class="([^"]*)"/g)].map(
  ([, names = '']) => names.split(/\s+/),
)
const classes = together.flat()

test('each composed class name of a template is a utility or has a rule', async () => {
  const known = [
    await utilities(),
    afterDots(read('renderer/**/*.{vue,css,ts}')),
    afterDots(read('tests/**/*.ts')),
  ]
  const composed = new Set(classes.filter((name) => /[-:\d]/.test(name)))
  expect(composed.size).toBeGreaterThan(100)
  expect([...composed].filter((name) => !known.some((names) => names.has(name)))).toEqual([])
})

test('no class names a colour, font size or radius that is no token', () => {
  expect(
    classes.filter((name) => /\b(?:text|bg|border|outline|divide|fill|stroke|rounded)-\[/.test(name)),
  ).toEqual([])
})

test('no control is a .field: the grid of a field moves the text of a select', () => {
  const controls = together.filter((names) => names.includes('select') || names.includes('input'))
  expect(controls.length).toBeGreaterThan(20)
  expect(controls.filter((names) => names.includes('field'))).toEqual([])
})
