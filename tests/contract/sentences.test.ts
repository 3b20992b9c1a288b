import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { sayFailure } from '../../electron/contract/sentences/failure-sentences.ts'
import { sentences } from '../../electron/contract/sentences/sentences.ts'
import { everyFailure } from '../every-failure.ts'

const root = resolve(import.meta.dirname, '../..')
const keysIn = (messages: object, before = ''): string[] =>
  Object.entries(messages).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'string' ? [before + key] : keysIn(value as object, `${before}${key}.`),
  )

it('has no sentence that nobody says', () => {
  const said = new Set<string>()
  for (const failure of everyFailure)
    sayFailure(failure, {
      say: (key) => {
        said.add(key)
        return key
      },
      ownAdvice: (names) => {
        for (const name of names) said.add(`command.${name}`)
        return null
      },
      details: () => '',
      fieldName: () => null,
      until: String,
      moment: String,
      duration: String,
      bytes: String,
      count: String,
    })
  const sources = globSync('{electron/cli,electron/contract/sentences,renderer}/**/*.{ts,vue}', { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
  // Every name in `${…}` may be any one name of the file.
  const patterns = [...sources.matchAll(/\bsay\(\s*(?:'([^']+)'|`([^`]+)`)/g)].map(
    ([, literal, template = '']) =>
      new RegExp(
        `^${(literal ?? template.replace(/\$\{[^}]+\}/g, '*')).replaceAll('.', '\\.').replaceAll('*', '[^.]+')}$`,
      ),
  )
  expect(patterns.length).toBeGreaterThan(5)
  const unused = keysIn(sentences).filter(
    (key) => !said.has(key) && !patterns.some((pattern) => pattern.test(key)),
  )
  expect(unused).toEqual([])
})
