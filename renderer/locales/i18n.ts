import { createI18n, type I18n } from 'vue-i18n'
import type { Preferences } from '../../electron/contract/api/app.ts'
import { sentences, type Say } from '../../electron/contract/sentences/sentences.ts'
import { pseudo } from './pseudo.ts'

type Messages = { readonly [key: string]: string | Messages }

/** `./en/release-notes.json` contains the texts of `t('releaseNotes.…')`. */
const nameOf = (path: string): string =>
  (path.split('/').at(-1) ?? path)
    .replace('.json', '')
    .replace(/-(.)/g, (_all, letter: string) => letter.toUpperCase())

const files = import.meta.glob<Messages>('./en/*.json', { eager: true, import: 'default' })
export const english: Messages = {
  ...Object.fromEntries(Object.entries(files).map(([path, messages]) => [nameOf(path), messages])),
  sentences,
}

/** Messages are compiled to a tree, not to code: the page's content security policy forbids eval. */
export const i18n = createI18n({
  legacy: false,
  locale: 'en',
  fallbackLocale: 'en',
  messages: { en: english },
  missingWarn: false,
  fallbackWarn: false,
  // No message is parsed as HTML: there is no v-html.
  warnHtmlMessage: false,
}) as unknown as I18n<Record<string, Messages>, Record<string, never>, Record<string, never>, string, false>

/** Switches every text on screen at once; `pseudo` is created from the English on first use. */
export function setLanguage(language: Preferences['language']): void {
  if (language === 'pseudo' && !i18n.global.availableLocales.includes('pseudo'))
    i18n.global.setLocaleMessage('pseudo', pseudo(english))
  i18n.global.locale.value = language
}

/** Text outside components (stores, formatting). */
export const text = (key: string, named: Record<string, unknown> = {}): string => i18n.global.t(key, named)
/** Text that depends on a count: `one | many` in the locale file, `{n}` stands for the count. */
export const countedText = (key: string, count: number, named: Record<string, unknown> = {}): string =>
  i18n.global.t(key, named, count)
/** What the command line says too: a text of electron/contract/sentences/en.json. */
export const say: Say = (key, named = {}, count) =>
  count === undefined ? text(`sentences.${key}`, named) : countedText(`sentences.${key}`, count, named)

/** Tag for dates and numbers. English uses the unambiguous 24-hour, day-first format. */
export const formatLocale = (): string =>
  i18n.global.locale.value === 'en' || i18n.global.locale.value === 'pseudo'
    ? 'en-GB'
    : i18n.global.locale.value
