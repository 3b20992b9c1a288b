import {
  Building2,
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
import { text } from '../locales/i18n.ts'
import type { PaletteEntry } from '../palette/palette-entry.ts'
import { preferenceSections } from '../preferences/preference-sections.ts'
import type { PageName } from '../router.ts'
import { pageIcons, pagesInOrder } from './page-icons.ts'
import { shortcuts } from './shortcuts.ts'

/** What can be done now: entries for what makes no sense are left out. */
export interface FrameDeeds {
  readonly pages: readonly PageName[]
  readonly router: Router
  readonly preferences: Preferences
  readonly organizations: readonly Organization[]
  readonly syncing: boolean
  readonly unlocked: boolean
  readonly undoable: boolean
  /** Jobs that have not ended. */
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

function pageEntries({ pages, router }: FrameDeeds): readonly PaletteEntry[] {
  return pagesInOrder.flatMap((page) => {
    if (!pages.includes(page)) return []
    const icon = pageIcons[page]
    if (!icon) return []
    return [
      {
        id: `page ${page}`,
        group: 'pages' as const,
        title: text(`frame.pages.${page}`),
        detail: null,
        alsoFoundBy: text('palette.alsoPage'),
        ...chordOf(page),
        icon,
        leaves: true,
        run: () => router.push({ name: page }),
      },
    ]
  })
}

function actionEntries(deeds: FrameDeeds): readonly PaletteEntry[] {
  const { preferences, router, set } = deeds
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
    deeds.syncing
      ? action('stopSync', CircleStop, deeds.stopSync)
      : action('sync', RefreshCw, deeds.sync, chordOf('sync')),
    ...(deeds.undoable ? [action('undo', Undo2, deeds.undo, chordOf('undo'))] : []),
    ...(deeds.unlocked ? [action('lock', Lock, deeds.lock)] : []),
    ...deeds.jobs.map((job) =>
      action(`job ${job.id}`, ListChecks, () => router.push({ name: 'jobs', params: { id: job.id } }), {
        title: text('jobs.palette.open', { job: job.title }),
        leaves: true,
      }),
    ),
    list('paste', ClipboardPaste, 'paste'),
    list('export', Download, 'export'),
    action('copyLink', Link, deeds.copyLink, { alsoFoundBy: text('palette.alsoLink') }),
    action('kit', Package, deeds.makeKit),
    action('offline', CloudDownload, deeds.prepareOffline),
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
    action('shortcuts', Keyboard, deeds.showSheet, chordOf('sheet')),
    ...deeds.organizations
      .filter((one) => !one.current)
      .map((one): PaletteEntry => ({
        id: `organization ${one.id}`,
        group: 'actions',
        title: text('palette.useOrganization', { name: one.name }),
        detail: null,
        icon: Building2,
        leaves: false,
        run: () => deeds.use(one.id),
      })),
  ]
}

/** Everything the frame itself knows to do, for the palette. */
export function frameEntries(deeds: FrameDeeds): readonly PaletteEntry[] {
  const sections = preferenceSections.map((section): PaletteEntry => ({
    id: `preferences ${section}`,
    group: 'preferences',
    title: text(`preferences.${section}.title`),
    detail: null,
    alsoFoundBy: text(`preferences.${section}.alsoFoundBy`),
    icon: Settings2,
    leaves: true,
    run: () => deeds.router.push({ name: 'preferences', params: { section } }),
  }))
  return [...pageEntries(deeds), ...actionEntries(deeds), ...sections]
}
