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

/** Pages with a place of their own: in the rail, in the palette, by `g` and a letter. */
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

/** The order of the rail, and of every other list of pages; groups stand apart. */
export const pageGroups: readonly (readonly PageName[])[] = [
  ['overview', 'rooms', 'devices', 'firmware', 'definitions', 'release-notes', 'changes', 'jobs', 'journal'],
  ['recovery', 'telemetry', 'explorer', 'webhooks'],
  ['organizations', 'preferences'],
]
