/** The pages of the guide, in their order: the names of their files in locales/en/guide. */
const names = [
  'first-day',
  'find',
  'firmware',
  'jobs',
  'offline',
  'settings',
  'command-line',
  'keys',
  'limits',
  'trouble',
] as const

export type GuideName = (typeof names)[number]

/** `words`: the headings, for the palette. The texts are loaded with the page (build/guide-pages.mjs). */
export interface GuideTopic {
  readonly name: GuideName
  readonly title: string
  readonly words: string
}

const topics = import.meta.glob<Omit<GuideTopic, 'name'>>('../locales/en/guide/*.md', {
  eager: true,
  import: 'default',
  query: '?about',
})

export const guideTopics: readonly GuideTopic[] = names.map((name) => ({
  name,
  ...topics[`../locales/en/guide/${name}.md`]!,
}))
