import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { english } from '../../../renderer/locales/i18n.ts'

const keysOf = (messages: object, before = ''): string[] =>
  Object.entries(messages).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null ? keysOf(value, `${before}${key}.`) : [`${before}${key}`],
  )

const keys = new Set(keysOf(english))
const root = resolve(import.meta.dirname, '../../..')
const sources = globSync('renderer/**/*.{vue,ts}', { cwd: root })
const requested = sources.flatMap((file) =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(
      /\b(?:t|text|countedText)\(\s*'([\w-]+(?:\.[\w-]+)+)'/g,
    ),
  ].map((match) => ({
    file,
    key: match[1] as string,
  })),
)

describe('texts', () => {
  it('exist in their locale file for every page that uses them by name', () => {
    expect(requested.length).toBeGreaterThan(150)
    expect(requested.filter(({ key }) => !keys.has(key)).map(({ file, key }) => `${file}: ${key}`)).toEqual(
      [],
    )
  })
  it('follow the style: no exclamation marks, no "please"', () => {
    const texts = (messages: object): string[] =>
      Object.values(messages).flatMap((value: unknown) =>
        typeof value === 'string' ? [value] : texts(value as object),
      )
    expect(texts(english).filter((text) => /!|\bplease\b/i.test(text))).toEqual([])
  })
})
