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
    const { axe: loaded } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: readonly Violation[] }> }
    }
    return (await loaded.run({ ...chosen, resultTypes: ['violations'] })).violations.map(
      ({ id, impact, nodes }) => ({
        id,
        impact,
        nodes: nodes.map(({ html }) => html.slice(0, 120)),
      }),
    )
  }, options)
  return found.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.join(' | ')}`)
}

/** Puts a theme on at once: a colour half way is no one's choice, and a window that paints nothing would never get to the end of it. */
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
