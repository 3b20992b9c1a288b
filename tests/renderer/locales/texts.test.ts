import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { english, i18n } from '../../../renderer/locales/i18n.ts'

const root = resolve(import.meta.dirname, '../../../renderer')
const leaves = (messages: object, path = ''): [string, string][] =>
  Object.entries(messages).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[path + key, value] as [string, string]]
      : leaves(value as object, `${path}${key}.`),
  )

describe('texts', () => {
  it('exist for every name used in the renderer', () => {
    const missing = globSync('**/*.{vue,ts}', { cwd: root }).flatMap((file) =>
      [
        ...readFileSync(resolve(root, file), 'utf8').matchAll(
          /\b(?:t|text|countedText)\(\s*'([a-zA-Z][\w-]*(?:\.[\w-]+)+)'/g,
        ),
      ]
        .map((match) => match[1] ?? '')
        .filter((key) => !i18n.global.te(key))
        .map((key) => `${file}: ${key}`),
    )
    expect(missing).toEqual([])
  })

  const unreadable = (key: string): boolean => {
    try {
      return i18n.global.t(key, { n: 2 }, 2) === key
    } catch {
      return true
    }
  }

  it('compile as messages, and one that does not would be found', () => {
    expect(leaves(english).filter(([key]) => unreadable(key))).toEqual([])
    i18n.global.mergeLocaleMessage('en', { planted: { broken: 'an { open brace', link: 'someone@:' } })
    const planted = ['planted.broken', 'planted.link']
    expect(planted.filter(unreadable)).toEqual(planted)
  })

  it('have no exclamation, no "please" and are not empty', () => {
    expect(
      leaves(english).filter(([, message]) => message.trim() === '' || /!|\bplease\b/i.test(message)),
    ).toEqual([])
  })
})
