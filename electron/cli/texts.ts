import { compile, createMessageContext } from '@intlify/core-base'
import type { AppProblem } from '../contract/api/app.ts'
import type { BudgetState } from '../contract/api/budget.ts'
import { isKind, type Failure } from '../contract/failure.ts'
import { sayFailure, withoutEnd, type Wording } from '../contract/sentences/failure-sentences.ts'
import { sentences, type Say, type SentenceKey } from '../contract/sentences/sentences.ts'
import { moment } from './table.ts'

type Messages = { readonly [key: string]: string | Messages }

function messageAt(key: SentenceKey): string {
  let found: string | Messages = sentences
  for (const name of key.split('.')) if (typeof found !== 'string') found = found[name] ?? key
  return typeof found === 'string' ? found : key
}

/** A text that the window says too, formatted by what vue-i18n is made of. */
export const say: Say = (key, named = {}, count) => {
  const values = createMessageContext({ named, ...(count === undefined ? {} : { pluralIndex: count }) })
  return String(compile(messageAt(key), { key, locale: 'en' })(values))
}

const isoTime = (at: number): string => new Date(at).toISOString()

/** A setting, an option or `NAME=VALUE` that was typed, a member of a file, a variable of the environment. */
function fieldName(field: string, argv: readonly string[]): string | null {
  if (field.startsWith('settings.')) return field.slice('settings.'.length)
  const last = field.split('.').at(-1) ?? field
  const option = `--${last.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  const hasValue = (name: string): boolean => argv.some((word) => word.startsWith(`${name}=`))
  if (argv.includes(option) || hasValue(option)) return option
  return /^[a-z][a-zA-Z]*$/.test(field) && !hasValue(field) ? null : field
}

const wordingFor = (argv: readonly string[]): Wording => ({
  say,
  ownAdvice: (names, named) => {
    const known = names.find((one): one is keyof typeof sentences.command => one in sentences.command)
    return known === undefined ? null : say(`command.${known}`, named)
  },
  /** ` (ListDevices, items[3]): HTML instead of JSON`. */
  details: (failure) => {
    const call = 'call' in failure ? failure.call?.operation : undefined
    const places = [call, 'where' in failure ? failure.where : undefined].filter(Boolean).join(', ')
    const message = ('message' in failure ? failure.message : null) ?? ''
    return `${places === '' ? '' : ` (${places})`}${message === '' ? '' : `: ${withoutEnd(message)}`}`
  },
  fieldName: (field) => fieldName(field, argv),
  until: isoTime,
  moment: (at) => moment(at) ?? '',
  duration: (inMs) => `${Math.round(inMs / 1000)} s`,
  bytes: (count) => `${count} bytes`,
  count: String,
})

/** What happened and what to do, in one line. `argv`: the words of the command that it ends. */
export function sentence(failure: Failure, argv: readonly string[] = []): string {
  const { sentence: what, advice } = sayFailure(failure, wordingFor(argv))
  return [what, advice].filter(Boolean).join(' ')
}

/** Says that the other key was used because one was refused; null: no other key was used. */
export const swapSentence = ({ failure, done }: AppProblem): string | null =>
  isKind(failure, 'key-refused') && done !== null
    ? `${sayFailure(failure, wordingFor([])).sentence} ${done}`
    : null

/** The problem with the call history and its effect; null: none. */
export const historyText = ({ history }: Pick<BudgetState, 'history'>): string | null =>
  history && say('history', { reason: say(`fileReason.${history.reason ?? 'slow'}`) })

export const holdText = (untilAt: number): string =>
  `${say('failure.rate-limited-held', { until: isoTime(untilAt) })} ${say('command.rate-limited-held')}`

/** Calls of others that the service must have counted; null: no sign of them. */
export const othersText = ({ byOthers }: Pick<BudgetState, 'byOthers'>): string | null =>
  byOthers === undefined
    ? null
    : `Fewer calls than allowed were made here: about ${byOthers} by others with this key.`

/** Why calls of this command wait; null: they do not wait, or only for earlier calls. */
export function waitText(state: BudgetState): string | null {
  if (state.waiting === 0) return null
  const history = historyText(state)
  if (history !== null || state.pausedUntil === null) return history
  const until = `Waiting until ${isoTime(state.pausedUntil)}: the service asked to wait.`
  return [until, othersText(state)].filter(Boolean).join(' ')
}

export const comparingText = ({ done, total }: { readonly done: number; readonly total: number }): string =>
  `${say('comparing', { done, n: total }, total)}.`
