import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { parse } from 'vue/compiler-sfc'
import { countedText, english, setLanguage, text } from '../../../renderer/locales/i18n.ts'
import { pseudo } from '../../../renderer/locales/pseudo.ts'

const only = (message: string): string => {
  const { message: found } = pseudo({ message })
  return typeof found === 'string' ? found : ''
}
const leaves = (messages: object): string[] =>
  Object.values(messages).flatMap((value: unknown) =>
    typeof value === 'string' ? [value] : leaves(value as object),
  )
const placeholders = (message: string): string[] => (message.match(/\{[^}]*\}/g) ?? []).toSorted()

afterEach(() => setLanguage('en'))

describe('the pseudo-locale', () => {
  it('marks the letters, makes the text 40 % longer and adds brackets', () => {
    expect(only('Copy link')).toBe('⟦Çöþý ļîñķ one⟧')
  })
  it('keeps placeholders and plural separators', () => {
    expect(only('{n} device | {n} devices')).toBe('⟦{n} ðéṽîçé on⟧ | ⟦{n} ðéṽîçéš one⟧')
  })
  it('makes every message at least 40 % longer with the same placeholders and plural forms', () => {
    const [before, after] = [leaves(english), leaves(pseudo(english))]
    const wrong = before.filter((message, place) => {
      const longer = after[place] ?? ''
      const letters = (words: string): number => words.replace(/\{[^}]*\}/g, '').length
      return (
        letters(longer) < letters(message) * 1.4 ||
        placeholders(longer).join() !== placeholders(message).join() ||
        longer.split(' | ').length !== message.split(' | ').length
      )
    })
    expect([before.length > 500, wrong]).toEqual([true, []])
  })
  it('never changes text in braces', () => {
    const name = fc.stringMatching(/^[a-z]{1,8}$/)
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.stringMatching(/^[A-Za-z .,]{0,12}$/), name), { maxLength: 5 }),
        (pieces) => {
          const message = pieces.map(([words, inside]) => `${words}{${inside}}`).join('')
          expect(placeholders(only(message))).toEqual(placeholders(message))
        },
      ),
    )
  })
  it('is switched on and off without a restart', () => {
    setLanguage('pseudo')
    expect([text('layout.tools'), countedText('palette.devices', 2, { n: '2' })]).toEqual([
      '⟦Ţööļš o⟧',
      '⟦2 ðéṽîçéš one⟧',
    ])
    setLanguage('en')
    expect(text('layout.tools')).toBe('Tools')
  })
})

/** Element 1, text 2; attribute 6 (the compiler's node types). */
interface TemplateNode {
  readonly type: number
  readonly tag?: string
  readonly content?: unknown
  readonly children?: readonly TemplateNode[]
  readonly branches?: readonly TemplateNode[]
  readonly props?: readonly {
    readonly type: number
    readonly name: string
    readonly value?: { readonly content: string }
  }[]
}
const readAloud = [
  'title',
  'aria-label',
  'placeholder',
  'alt',
  'label',
  'aria-description',
  'sentence',
  'hint',
  'description',
]
/** Technical values are not part of a language: `true`, `.json`. */
const isText = (words: string): boolean => /\p{L}/u.test(words) && !/^(true|false|\.json)$/.test(words.trim())

/** A key has the name on its keyboard label. */
function visibleText(node: TemplateNode): readonly string[] {
  if (node.tag === 'kbd') return []
  const own =
    node.type === 2 && typeof node.content === 'string' && isText(node.content) ? [node.content.trim()] : []
  const said = (node.props ?? []).flatMap((one) =>
    one.type === 6 && readAloud.includes(one.name) && one.value && isText(one.value.content)
      ? [`${one.name}=${one.value.content}`]
      : [],
  )
  return [
    ...own,
    ...said,
    ...(node.children ?? []).flatMap(visibleText),
    ...(node.branches ?? []).flatMap(visibleText),
  ]
}

describe('component templates', () => {
  const root = resolve(import.meta.dirname, '../../../renderer')
  const inTemplate = (source: string): readonly string[] =>
    visibleText((parse(source).descriptor.template?.ast ?? { type: 0 }) as unknown as TemplateNode)
  it('contain no visible text: all of it is in the locale files', () => {
    const files = globSync('**/*.vue', { cwd: root })
    expect(files.length).toBeGreaterThan(80)
    expect(
      files.flatMap((file) =>
        inTemplate(readFileSync(resolve(root, file), 'utf8')).map((words) => `${file}: ${words}`),
      ),
    ).toEqual([])
  })
  it('with text or accessible names outside locale files would be found', () => {
    expect(
      inTemplate(
        '<template><p v-if="a">Saved</p><b :title="t(`x`)" aria-label="Close">{{ x }}</b></template>',
      ),
    ).toEqual(['Saved', 'aria-label=Close'])
  })
})
