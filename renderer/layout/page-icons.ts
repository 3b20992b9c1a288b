import {
  Activity,
  ArrowLeftRight,
  BadgeCheck,
  BookText,
  Building2,
  ClipboardList,
  Cpu,
  FileDown,
  Headphones,
  History,
  House,
  LifeBuoy,
  ListChecks,
  Monitor,
  Network,
  ScrollText,
  SlidersHorizontal,
  SquareTerminal,
  Webhook,
} from '@lucide/vue'
import type { Component } from 'vue'
import type { PageName } from '../router.ts'

/** Pages with their own entry in the navigation and in the palette, and a shortcut: `g` and a letter. */
export const pageIcons: Readonly<Partial<Record<PageName, Component>>> = {
  overview: House,
  rooms: Monitor,
  devices: Headphones,
  firmware: Cpu,
  definitions: BookText,
  compare: ArrowLeftRight,
  'release-notes': ScrollText,
  changes: History,
  jobs: ListChecks,
  journal: ClipboardList,
  recovery: LifeBuoy,
  telemetry: Activity,
  explorer: SquareTerminal,
  webhooks: Webhook,
  organizations: Building2,
  preferences: SlidersHorizontal,
  connections: Network,
  downloads: FileDown,
  'golden-profiles': BadgeCheck,
}

/** The groups of the navigation: daily pages, occasional pages (folded), and settings (at the bottom). */
export const railPages = {
  daily: ['overview', 'rooms', 'devices', 'firmware', 'changes', 'jobs', 'golden-profiles'],
  tools: ['recovery', 'definitions', 'compare', 'explorer', 'webhooks', 'telemetry'],
  foot: ['organizations', 'preferences'],
} as const satisfies Readonly<Record<string, readonly PageName[]>>

/** Pages under the entry of another page, which is marked while they are open. */
export const insideOf: Readonly<Partial<Record<string, PageName>>> = {
  device: 'devices',
  room: 'rooms',
  'release-notes': 'firmware',
  downloads: 'firmware',
  journal: 'jobs',
}

/** Every page with its own entry, in the order of the palette and of the shortcut sheet. */
export const pagesInOrder: readonly PageName[] = [
  ...railPages.daily,
  'journal',
  'release-notes',
  'downloads',
  ...railPages.tools,
  ...railPages.foot,
  'connections',
]
