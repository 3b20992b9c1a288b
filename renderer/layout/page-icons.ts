import {
  BadgeCheck,
  BookText,
  Building2,
  CircleQuestionMark,
  ClipboardList,
  Cpu,
  Headphones,
  History,
  House,
  LifeBuoy,
  ListChecks,
  Monitor,
  ScrollText,
  SlidersHorizontal,
  SquareTerminal,
} from '@lucide/vue'
import type { Component } from 'vue'
import type { PageName } from '../router.ts'

/** Pages with their own entry in the navigation or in the palette. */
export const pageIcons: Readonly<Partial<Record<PageName, Component>>> = {
  overview: House,
  rooms: Monitor,
  devices: Headphones,
  firmware: Cpu,
  definitions: BookText,
  'release-notes': ScrollText,
  changes: History,
  jobs: ListChecks,
  journal: ClipboardList,
  recovery: LifeBuoy,
  explorer: SquareTerminal,
  organizations: Building2,
  preferences: SlidersHorizontal,
  'golden-profiles': BadgeCheck,
  help: CircleQuestionMark,
}

/** The groups of the navigation: daily pages, occasional pages (folded), and settings (at the bottom). */
export const railPages = {
  daily: ['overview', 'rooms', 'devices', 'firmware', 'changes', 'jobs', 'golden-profiles'],
  tools: ['recovery', 'definitions', 'explorer'],
  foot: ['organizations', 'preferences', 'help'],
} as const satisfies Readonly<Record<string, readonly PageName[]>>

/** Pages under the entry of another page, which is marked while they are open. */
export const insideOf: Readonly<Partial<Record<string, PageName>>> = {
  device: 'devices',
  room: 'rooms',
  'compare-rooms': 'rooms',
  'compare-devices': 'devices',
  'release-notes': 'firmware',
  journal: 'jobs',
}

/** A part of a page, opened by its address. */
interface PagePart {
  readonly name: PageName
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
}
/** Former pages, now parts of others: their addresses, links and names in the palette lead there. */
export const partOf: Readonly<Partial<Record<PageName, PagePart>>> = {
  connections: { name: 'preferences', params: { section: 'connections' } },
  compare: { name: 'definitions', query: { part: 'compare' } },
  downloads: { name: 'firmware', query: { part: 'downloads' } },
  telemetry: { name: 'definitions', query: { part: 'telemetry' } },
  webhooks: { name: 'organizations', query: { part: 'webhooks' } },
}

/** Every page with its own entry, in the order of the palette; former pages are found by their names. */
export const pagesInOrder: readonly PageName[] = [
  ...railPages.daily,
  'journal',
  'release-notes',
  ...railPages.tools,
  ...railPages.foot,
  ...(Object.keys(partOf) as PageName[]),
]
