import type { CDPSession, Page } from '@playwright/test'

/** What Chromium exposes to a screen reader about one element. */
interface AccessibleNode {
  readonly role: string
  readonly name: string
}
interface AXNode {
  readonly ignored: boolean
  readonly role?: { readonly value: string }
  readonly name?: { readonly value: string }
  readonly backendDOMNodeId?: number
}

/** Roles that need a name: of elements that can be clicked, filled or selected, and of their containers. */
const named = new Set([
  'button',
  'link',
  'textbox',
  'searchbox',
  'combobox',
  'checkbox',
  'radio',
  'switch',
  'slider',
  'spinbutton',
  'tab',
  'tablist',
  'tree',
  'treeitem',
  'grid',
  'table',
  'columnheader',
  'listbox',
  'option',
  'menu',
  'menuitem',
  'menuitemradio',
  'menuitemcheckbox',
  'dialog',
  'alertdialog',
  'progressbar',
  'meter',
  'navigation',
  'complementary',
  'region',
])

const nodeOf = ({ role, name }: AXNode): AccessibleNode => ({
  role: role?.value ?? '',
  name: (name?.value ?? '').trim(),
})

export interface AccessibleTree {
  /** Every control, field and container on screen that has no name, by its opening tag. */
  nameless(): Promise<string[]>
  /** Names, with the role, that two controls inside `selector` share. */
  shared(selector: string): Promise<string[]>
  close(): Promise<void>
}

/** The accessibility tree as Chromium computes it for assistive technology, not as the markup declares it. */
export async function accessibleTree(page: Page): Promise<AccessibleTree> {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('Accessibility.enable')
  /** An element that is scrolled away and not drawn (content-visibility) gets its name when it becomes visible. */
  async function drawn(backendNodeId: number | undefined): Promise<boolean> {
    const { object } = await session.send('DOM.resolveNode', { backendNodeId: backendNodeId ?? 0 })
    const functionDeclaration =
      'function () { return !(this instanceof Element) || [...this.children].some((one) => one.checkVisibility({ contentVisibilityAuto: true })) || this.children.length === 0 }'
    const { result } = await session.send('Runtime.callFunctionOn', {
      objectId: object.objectId ?? '',
      functionDeclaration,
      returnByValue: true,
    })
    return result.value === true
  }
  async function describe(backendNodeId: number | undefined): Promise<string> {
    if (backendNodeId === undefined) return '?'
    const { outerHTML } = await session.send('DOM.getOuterHTML', { backendNodeId })
    return outerHTML.slice(0, 140)
  }
  return {
    async nameless() {
      const { nodes } = (await session.send('Accessibility.getFullAXTree')) as unknown as {
        nodes: readonly AXNode[]
      }
      const bare = nodes.filter(
        (node) => !node.ignored && named.has(nodeOf(node).role) && nodeOf(node).name === '',
      )
      const found = await Promise.all(
        bare.map(async (node) =>
          (await drawn(node.backendDOMNodeId))
            ? [`${nodeOf(node).role}: ${await describe(node.backendDOMNodeId)}`]
            : [],
        ),
      )
      return found.flat()
    },
    async shared(selector) {
      const found: AccessibleNode[] = []
      const places = await page.locator(selector).count()
      for (let place = 0; place < places; place++) {
        const { result } = await session.send('Runtime.evaluate', {
          expression: `document.querySelectorAll(${JSON.stringify(selector)})[${place}]`,
        })
        if (result.objectId === undefined) continue
        const { nodes } = (await session.send('Accessibility.queryAXTree', {
          objectId: result.objectId,
        })) as unknown as { nodes: readonly AXNode[] }
        found.push(...nodes.filter((node) => !node.ignored && named.has(nodeOf(node).role)).map(nodeOf))
      }
      const words = found.map(({ role, name }) => `${role} ${name}`)
      return [...new Set(words.filter((word, place) => words.indexOf(word) !== place))]
    },
    close: () => session.detach(),
  }
}
