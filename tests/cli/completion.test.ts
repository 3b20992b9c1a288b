import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { completionOf, shells } from '../../electron/cli/completion.ts'
import { everywhere } from '../../electron/cli/grammar.ts'
import { manPage } from '../../electron/cli/man-page.ts'
import { commands, helpGroups, loneCommands } from '../../electron/cli/run-command.ts'

const all = [...commands, ...loneCommands]
const every = (words: readonly string[]): readonly string[] => [...new Set(words)]
const options = every([...all, { options: everywhere }].flatMap((one) => Object.keys(one.options ?? {})))

/** What bash offers for the last word, which may be empty. */
function offered(...words: readonly string[]): readonly string[] {
  const script = [
    ...completionOf('bash', all),
    'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _headroom; printf "%s\\n" "${COMPREPLY[@]}"',
  ].join('\n')
  return execFileSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' })
    .split('\n')
    .filter((word) => word !== '')
}

test.each([
  ['the first word', ['headroom', 'fir'], ['firmware']],
  ['the second word', ['headroom', 'firmware', 'li'], ['link']],
  ['an operand of a few words', ['headroom', 'completion', 'z'], ['zsh']],
  ['an option', ['headroom', 'firmware', 'link', '2830/9395', 'latest', '--bui'], ['--build-type']],
  ['an option after one before the command', ['headroom', '--json', 'org', 'add', '--pre'], ['--preset']],
  ['nothing for the value of an option', ['headroom', 'devices', '--where', ''], []],
])('completes %s', (_, words, expected) => {
  expect(offered(...words)).toEqual(expected)
})

test.each(shells)('the script for %s knows every command and option', (shell) => {
  const script = completionOf(shell, all).join('\n')
  const words = every(all.flatMap(({ name }) => name.split(' ')))
  // fish writes options without their hyphens.
  expect(
    [...words, ...options].filter((word) => !new RegExp(`(?<![\\w])${word}(?![\\w])`).test(script)),
  ).toEqual([])
})

test('the manual page describes every command with its options, in ASCII', () => {
  const lines = manPage(all, helpGroups, '1.0.0')
  const heads = lines.filter((line) => line.startsWith('.SS ')).map((line) => line.replaceAll('\\', ''))
  expect({
    missing: all.filter(({ name }) => !heads.some((head) => `${head} `.startsWith(`.SS headroom ${name} `))),
    options: options.filter(
      (name) => !lines.some((line) => line.startsWith(`.B \\-\\-${name.replaceAll('-', '\\-')}`)),
    ),
    odd: lines.filter((line) => /[^ -~]/.test(line) || /^\.(?!TH|SH|SS|TP|PP|B |I |nf|fi)/.test(line)),
  }).toEqual({ missing: [], options: [], odd: [] })
})
