import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** The rules of axe that look at colours. The structure of a page is the same in both themes: what else axe knows is asked in the light one. */
const colourRules = ['color-contrast', 'link-in-text-block']
const themes = [
  ['light', {}],
  ['dark', { runOnly: { type: 'rule', values: colourRules } }],
] as const

/** Every violation axe finds on the page as it stands, short enough to read in a failure. */
async function violations(page: Page, options: object): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  const found = await page.evaluate(async (chosen) => {
    const { axe: loaded } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: readonly Violation[] }> } }
    return (await loaded.run({ ...chosen, resultTypes: ['violations'] })).violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      nodes: nodes.map(({ html }) => html.slice(0, 120)),
    }))
  }, options)
  return found.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.join(' | ')}`)
}

/** Puts a theme on and answers when no colour is on its way any more: one half way is no one's choice. */
const wear = (page: Page, theme: string): Promise<void> =>
  page.evaluate(async (name) => {
    document.documentElement.dataset['theme'] = name
    const changes = (): boolean => document.getAnimations().some((one) => one instanceof CSSTransition)
    while (changes()) await new Promise(requestAnimationFrame)
  }, theme)

/** What axe finds in each theme. */
export async function foundBy(page: Page): Promise<Readonly<Record<'light' | 'dark', readonly string[]>>> {
  const found = { light: [] as string[], dark: [] as string[] }
  for (const [theme, options] of themes) {
    await wear(page, theme)
    found[theme] = await violations(page, options)
  }
  return found
}

/** axe finds nothing in either theme; `what` names the state in a failure. */
export async function expectNone(page: Page, what: string): Promise<void> {
  expect([what, await foundBy(page)]).toEqual([what, { light: [], dark: [] }])
}
