import { commandsOf, everywhere, type CommandShape } from './grammar.ts'

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const

/** What may follow the words of a command, or words that only begin commands. */
interface Place {
  /** `firmware link`; empty: nothing is typed yet. */
  readonly name: string
  readonly next: readonly { readonly word: string; readonly help: string }[]
  readonly switches: readonly { readonly word: string; readonly help: string; readonly takes: boolean }[]
}

/** The script that makes a shell complete the words and options of these commands. */
export function completionOf(shell: (typeof shells)[number], commands: readonly CommandShape[]): string[] {
  return scripts[shell](placesOf(commands))
}

function placesOf(commands: readonly CommandShape[]): readonly Place[] {
  const names = new Set(['', ...commands.flatMap(({ name }) => beginningsOf(name))])
  return [...names].map((name) => {
    const shape = commands.find((one) => one.name === name)
    const depth = name === '' ? 0 : name.split(' ').length
    const under = name === '' ? commands : commandsOf(commands, name).filter((one) => one.name !== name)
    const words = new Set(under.map((one) => one.name.split(' ')[depth] ?? ''))
    // An operand of a few words: `bash|zsh`.
    const [operand = ''] = shape?.operands ?? []
    const given = operand.includes('|') ? operand.split('|') : []
    return {
      name,
      next: [
        ...[...words].map((word) => ({ word, help: helpOf(commands, `${name} ${word}`.trim()) })),
        ...given.map((word) => ({ word, help: '' })),
      ],
      switches: Object.entries(shape === undefined ? {} : { ...shape.options, ...everywhere }).map(
        ([option, { type, help }]) => ({ word: `--${option}`, help, takes: type === 'string' }),
      ),
    }
  })
}

const beginningsOf = (name: string): readonly string[] => {
  const words = name.split(' ')
  return words.map((_, at) => words.slice(0, at + 1).join(' '))
}

const helpOf = (commands: readonly CommandShape[], name: string): string =>
  commands.find((one) => one.name === name)?.summary ?? `headroom help ${name}`

const wordsOf = (words: readonly { readonly word: string }[]): string =>
  words.map(({ word }) => word).join(' ')

const takingOf = ({ switches }: Place): string => wordsOf(switches.filter(({ takes }) => takes))

/** A function of bash and zsh that sets what may follow `$1`, or fails. */
const tableForShell = (places: readonly Place[]): readonly string[] => [
  '_headroom_at() {',
  '  case $1 in',
  ...places.map(
    (place) =>
      `    '${place.name}') next='${wordsOf(place.next)}' switches='${wordsOf(place.switches)}' taking='${takingOf(place)}' ;;`,
  ),
  '    *) return 1 ;;',
  '  esac',
  '}',
]

const scripts: Readonly<Record<(typeof shells)[number], (places: readonly Place[]) => string[]>> = {
  bash: (places) => [
    ...tableForShell(places),
    '_headroom() {',
    "  local current=${COMP_WORDS[COMP_CWORD]} name='' next switches taking word",
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '    _headroom_at "${name:+$name }$word" && name="${name:+$name }$word"',
    '  done',
    '  _headroom_at "$name"',
    '  COMPREPLY=()',
    // No reply: the names of files.
    '  [[ " $taking " == *" ${COMP_WORDS[COMP_CWORD-1]} "* ]] && return',
    '  [[ $current == -* ]] && next=$switches',
    '  COMPREPLY=($(compgen -W "$next" -- "$current"))',
    '}',
    'complete -o default -F _headroom headroom',
  ],
  zsh: (places) => [
    '#compdef headroom',
    ...tableForShell(places),
    '_headroom() {',
    "  local name='' next switches taking word",
    '  for word in "${(@)words[2,CURRENT-1]}"; do',
    '    _headroom_at "${name:+$name }$word" && name="${name:+$name }$word"',
    '  done',
    '  _headroom_at "$name"',
    '  if [[ " $taking " == *" ${words[CURRENT-1]} "* ]]; then _files; return; fi',
    '  [[ ${words[CURRENT]} == -* ]] && next=$switches',
    '  if [[ -n $next ]]; then compadd -- ${(s: :)next}; else _files; fi',
    '}',
    // As a file in $fpath it is the function itself; read by `source` it has to be registered.
    'if [[ ${funcstack[1]} == _headroom ]]; then _headroom "$@"; else compdef _headroom headroom; fi',
  ],
  fish: (places) => [
    `set -g __headroom_names ${places
      .filter(({ name }) => name !== '')
      .map(({ name }) => `'${name}'`)
      .join(' ')}`,
    'function __headroom_at',
    "    set -l name ''",
    '    for word in (commandline -opc)[2..-1]',
    '        set -l longer (string trim -- "$name $word")',
    '        contains -- $longer $__headroom_names; and set name $longer',
    '    end',
    '    test "$name" = "$argv[1]"',
    'end',
    ...places.flatMap(({ name, next, switches }) => {
      const at = `complete -c headroom -n "__headroom_at '${name}'"`
      return [
        ...next.map(({ word, help }) => `${at} -f -a ${word}${help === '' ? '' : ` -d ${quoted(help)}`}`),
        ...switches.map(
          ({ word, help, takes }) => `${at} -l ${word.slice(2)}${takes ? ' -r' : ''} -d ${quoted(help)}`,
        ),
      ]
    }),
  ],
  powershell: (places) => [
    'Register-ArgumentCompleter -Native -CommandName headroom -ScriptBlock {',
    '  param($typed, $ast, $position)',
    '  $known = @{',
    ...places.map(
      ({ name, next, switches }) =>
        `    '${name}' = @{ next = '${wordsOf(next)}'; switches = '${wordsOf(switches)}' }`,
    ),
    '  }',
    "  $name = ''",
    '  foreach ($element in $ast.CommandElements | Select-Object -Skip 1) {',
    '    if ($element.Extent.EndOffset -ge $position) { break }',
    '    $longer = "$name $element".Trim()',
    '    if ($known.ContainsKey($longer)) { $name = $longer }',
    '  }',
    "  $words = if ($typed.StartsWith('-')) { $known[$name].switches } else { $known[$name].next }",
    '  $words.Split() | Where-Object { $_ -and $_.StartsWith($typed) } |',
    '    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }',
    '}',
  ],
}

/** For fish. */
const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`
