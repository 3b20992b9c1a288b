import { isIPv4, isIPv6 } from 'node:net'
import * as vm from 'node:vm'

const day = /^(\d{4})-(\d\d)-(\d\d)$/
const time = /^([01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i
const label = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i

const isDay = (text: string): boolean => {
  const [, year = '', month = '', date = ''] = day.exec(text) ?? []
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(date)))
  // A year below 100 would be read as one of the last century.
  at.setUTCFullYear(Number(year))
  return year !== '' && at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(date)
}
const isHost = (text: string): boolean =>
  text.length <= 253 && text.split('.').every((part) => label.test(part))
const isUri = (text: string): boolean => /^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]*$/i.test(text)

/** Formats that are checked; others are told as not checked. */
export const formats: Readonly<
  Record<string, { readonly name: string; readonly fits: (text: string) => boolean }>
> = {
  'date-time': {
    name: 'a date and time such as 2026-11-21T14:02:00Z',
    fits: (text) => isDay(text.slice(0, 10)) && /^[T ]$/i.test(text[10] ?? '') && time.test(text.slice(11)),
  },
  date: { name: 'a date such as 2026-11-21', fits: isDay },
  time: { name: 'a time such as 14:02:00Z', fits: (text) => time.test(text) },
  duration: {
    name: 'a duration such as PT5M',
    fits: (text) =>
      /^P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?)$/.test(
        text,
      ),
  },
  uri: { name: 'an address with a scheme, such as https://example.com/', fits: isUri },
  'uri-reference': { name: 'an address or a part of one', fits: (text) => /^[^\s<>"{}|\\^`]*$/.test(text) },
  uuid: { name: 'a UUID', fits: (text) => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text) },
  email: {
    name: 'an e-mail address',
    fits: (text) =>
      /^[^\s@"(),:;<>[\\\]]+@[^\s@]+$/.test(text) && isHost(text.slice(text.lastIndexOf('@') + 1)),
  },
  hostname: { name: 'a host name', fits: isHost },
  ipv4: { name: 'an IPv4 address', fits: isIPv4 },
  ipv6: { name: 'an IPv6 address', fits: (text) => isIPv6(text) && !text.includes('%') },
  'json-pointer': { name: 'a JSON pointer', fits: (text) => /^(?:\/(?:[^~/]|~[01])*)*$/.test(text) },
}

/** Whether a pattern can be read at all, with or without Unicode rules. */
export function patternOf(pattern: string): RegExp | null {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags)
    } catch {
      // Without Unicode rules more is allowed.
    }
  }
  return null
}

/** Bounds of one check: a pattern can be written so that it never ends. Chosen. */
const patternBounds = { eachInMs: 50, watchedAtMost: 2_000, lateAtMost: 5, plainLength: 1_000 } as const

/** Tests patterns within bounds; null: it cannot be said in time. */
export function boundedPatterns(): (pattern: string, text: string) => boolean | null {
  const read = new Map<string, RegExp | null>()
  const said = new Map<string, boolean | null>()
  let place: vm.Context | null = null
  let script: vm.Script | null = null
  let watched = 0
  let late = 0
  const watch = (expression: RegExp, text: string): boolean | null => {
    if (watched >= patternBounds.watchedAtMost || late >= patternBounds.lateAtMost) return null
    watched += 1
    place ??= vm.createContext({})
    script ??= new vm.Script('expression.test(text)')
    place['expression'] = expression
    place['text'] = text
    try {
      return script.runInContext(place, { timeout: patternBounds.eachInMs }) === true
    } catch {
      late += 1
      return null
    }
  }
  return (pattern, text) => {
    if (!read.has(pattern)) read.set(pattern, patternOf(pattern))
    const expression = read.get(pattern) ?? null
    if (expression === null) return null
    // One open-ended repetition over a short text is over at once; only the rest is worth a watch.
    if (
      text.length <= patternBounds.plainLength &&
      (pattern.match(/[*+]|\{\d+,\d*\}/g)?.length ?? 0) <= 1 &&
      !/\\\d|\\k/.test(pattern)
    )
      return expression.test(text)
    const key = `${pattern}\n${text}`
    if (!said.has(key)) said.set(key, watch(expression, text))
    return said.get(key) ?? null
  }
}
