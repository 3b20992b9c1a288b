import {
  Building2,
  CircleQuestionMark,
  CircleStop,
  ClipboardPaste,
  CloudDownload,
  Contrast,
  Download,
  Keyboard,
  Languages,
  Link,
  ListChecks,
  Lock,
  Moon,
  Package,
  RefreshCw,
  Rows3,
  Settings2,
  Sun,
  SunMoon,
  Undo2,
} from '@lucide/vue'
import type { Component } from 'vue'
import type { Router } from 'vue-router'
import type { Preferences } from '../../electron/contract/api/app.ts'
import type { Organization } from '../../electron/contract/api/organizations.ts'
import { guideTopics } from '../guide/guide.ts'
import { text } from '../locales/i18n.ts'
import type { PaletteEntry } from '../palette/palette-entry.ts'
import { preferenceSections } from '../preferences/preference-sections.ts'
import type { PageName } from '../router.ts'
import { pageIcons, pagesInOrder, partOf } from './page-icons.ts'
import { shortcuts } from './shortcuts.ts'

/** The actions that are currently possible. */
export interface LayoutActions {
  readonly pages: readonly PageName[]
  readonly router: Router
  readonly preferences: Preferences
  readonly organizations: readonly Organization[]
  readonly syncing: boolean
  readonly unlocked: boolean
  readonly undoable: boolean
  /** Unfinished jobs. */
  readonly jobs: readonly { readonly id: string; readonly title: string }[]
  readonly set: (change: Partial<Preferences>) => unknown
  readonly use: (id: string) => unknown
  readonly sync: () => unknown
  readonly stopSync: () => unknown
  readonly lock: () => unknown
  readonly undo: () => unknown
  readonly copyLink: () => unknown
  readonly makeKit: () => unknown
  readonly prepareOffline: () => unknown
  readonly showSheet: () => unknown
}

const chordOf = (id: string): { readonly chord?: string } => {
  const chord = shortcuts.find((one) => one.id === id)?.chords[0]
  return chord === undefined ? {} : { chord }
}

/** Pages that are also found by other words. */
const also: ReadonlySet<PageName> = new Set<PageName>(['changes', 'firmware', 'compare'])

function pageEntries({ pages, router }: LayoutActions): readonly PaletteEntry[] {
  return pagesInOrder.flatMap((page) => {
    if (!pages.includes(page)) return []
    const whole = partOf[page]?.name
    const icon = pageIcons[whole ?? page]
    if (!icon) return []
    return [
      {
        id: `page ${page}`,
        group: 'pages' as const,
        title: text(`layout.pages.${page}`),
        detail: whole ? text(`layout.pages.${whole}`) : null,
        alsoFoundBy: [
          text('palette.alsoPage'),
          ...(also.has(page) ? [text(`palette.alsoPages.${page}`)] : []),
        ].join(' '),
        ...chordOf(page),
        icon,
        leaves: true,
        run: () => router.push({ name: page }),
      },
    ]
  })
}

const guideEntries = ({ router }: LayoutActions): readonly PaletteEntry[] =>
  guideTopics.map(({ name, title, words }) => ({
    id: `help ${name}`,
    group: 'help',
    title,
    detail: null,
    alsoFoundBy: words,
    icon: CircleQuestionMark,
    leaves: true,
    run: () => router.push({ name: 'help', params: { topic: name } }),
  }))

function actionEntries(actions: LayoutActions): readonly PaletteEntry[] {
  const { preferences, router, set } = actions
  const action = (
    id: string,
    icon: Component,
    run: () => unknown,
    more: Partial<PaletteEntry> = {},
  ): PaletteEntry => ({
    id: `action ${id}`,
    group: 'actions',
    title: text(`palette.actions.${id}`),
    detail: null,
    icon,
    leaves: false,
    run,
    ...more,
  })
  const list = (id: string, icon: Component, what: string): PaletteEntry =>
    action(id, icon, () => router.push({ name: 'devices', query: { do: what } }), { leaves: true })
  const themes = (['light', 'dark', 'system'] as const).filter((theme) => theme !== preferences.theme)
  const icons = { light: Sun, dark: Moon, system: SunMoon }
  return [
    actions.syncing
      ? action('stopSync', CircleStop, actions.stopSync)
      : action('sync', RefreshCw, actions.sync, chordOf('sync')),
    ...(actions.undoable ? [action('undo', Undo2, actions.undo, chordOf('undo'))] : []),
    ...(actions.unlocked ? [action('lock', Lock, actions.lock)] : []),
    ...actions.jobs.map((job) =>
      action(`job ${job.id}`, ListChecks, () => router.push({ name: 'jobs', params: { id: job.id } }), {
        title: text('jobs.palette.open', { job: job.title }),
        leaves: true,
      }),
    ),
    list('paste', ClipboardPaste, 'paste'),
    list('export', Download, 'export'),
    action('copyLink', Link, actions.copyLink, { alsoFoundBy: text('palette.alsoLink') }),
    action('kit', Package, actions.makeKit),
    action('offline', CloudDownload, actions.prepareOffline),
    ...themes.map((theme) => action(`theme-${theme}`, icons[theme], () => set({ theme }))),
    preferences.contrast === 'high'
      ? action('contrast-regular', Contrast, () => set({ contrast: 'regular' }))
      : action('contrast-high', Contrast, () => set({ contrast: 'high' })),
    preferences.density === 'compact'
      ? action('density-regular', Rows3, () => set({ density: 'regular' }))
      : action('density-compact', Rows3, () => set({ density: 'compact' })),
    ...(preferences.language === 'pseudo'
      ? [action('language-en', Languages, () => set({ language: 'en' }))]
      : []),
    action('shortcuts', Keyboard, actions.showSheet, {
      ...chordOf('sheet'),
      alsoFoundBy: text('palette.alsoHelp'),
    }),
    ...actions.organizations
      .filter((one) => !one.current)
      .map((one): PaletteEntry => ({
        id: `organization ${one.id}`,
        group: 'actions',
        title: text('palette.useOrganization', { name: one.name }),
        detail: null,
        icon: Building2,
        leaves: false,
        run: () => actions.use(one.id),
      })),
  ]
}

/** The actions of the app itself, for the palette. */
export function layoutEntries(actions: LayoutActions): readonly PaletteEntry[] {
  // Sections that are also pages are found among the pages.
  const others = preferenceSections.filter((section) => !pagesInOrder.some((page) => page === section))
  const sections = others.map((section): PaletteEntry => ({
    id: `preferences ${section}`,
    group: 'preferences',
    title: text(`preferences.${section}.title`),
    detail: null,
    alsoFoundBy: text(`preferences.${section}.alsoFoundBy`),
    icon: Settings2,
    leaves: true,
    run: () => actions.router.push({ name: 'preferences', params: { section } }),
  }))
  return [...pageEntries(actions), ...guideEntries(actions), ...actionEntries(actions), ...sections]
}
