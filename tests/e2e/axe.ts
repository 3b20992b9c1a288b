import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import { inFull } from '../setup/in-full.ts'

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** The axe rules about colours. The structure of a page is the same in both themes: the other rules run only in the light one. */
const colourRules = ['color-contrast', 'link-in-text-block']
const themes = [
  ['light', {}],
  ['dark', { runOnly: { type: 'rule', values: colourRules } }],
] as const

/** Every violation that axe finds on the current page, short enough for a failure message. */
async function violations(page: Page, options: object): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  const found = await page.evaluate(async (chosen) => {
    const { axe: loaded } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: readonly Violation[] }> }
    }
    // Neither selectors of what is found nor style sheets are needed: both cost a fifth of the time.
    const cheap = { resultTypes: ['violations'], selectors: false, preload: { assets: ['media'] } }
    return (await loaded.run({ ...chosen, ...cheap })).violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      nodes: nodes.map(({ html }) => html.slice(0, 120)),
    }))
  }, options)
  return found.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.join(' | ')}`)
}

/**
 * Applies a theme at once: during a transition colours are not those of the theme, and in a window that draws
 * nothing the transition would never end.
 */
const wear = (page: Page, theme: string): Promise<void> =>
  page.evaluate((name) => {
    const root = document.documentElement
    if (root.dataset['still'] === undefined) {
      const still = new CSSStyleSheet()
      still.replaceSync('*, ::before, ::after { transition: none !important }')
      document.adoptedStyleSheets.push(still)
      root.dataset['still'] = ''
    }
    root.dataset['theme'] = name
  }, theme)

let lookedAt = 0
/**
 * The violations that axe finds in each theme, or without `inBoth` in one of them: light and dark take turns, because a look takes a
 * second.
 */
export async function foundBy(
  page: Page,
  inBoth = inFull,
): Promise<Readonly<Record<'light' | 'dark', readonly string[]>>> {
  const found = { light: [] as string[], dark: [] as string[] }
  const inTurn = [[lookedAt++ % 2 === 0 ? 'light' : 'dark', {}]] as const
  for (const [theme, options] of inBoth ? themes : inTurn) {
    await wear(page, theme)
    found[theme] = await violations(page, options)
  }
  return found
}

/** Expects that axe finds no violation; `what` names the state in a failure message. */
export async function expectNone(page: Page, what: string): Promise<void> {
  expect([what, await foundBy(page)]).toEqual([what, { light: [], dark: [] }])
}
