/** The tokens a canvas draws with, as they are at an element now. */
export interface ChartColours {
  readonly ink: string
  readonly quiet: string
  readonly line: string
  readonly surface: string
  readonly ok: string
  readonly warn: string
  readonly bad: string
  readonly busy: string
  readonly off: string
  readonly unknown: string
}

export function chartColours(element: Element): ChartColours {
  const style = getComputedStyle(element)
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  return {
    ink: token('ink-2'),
    quiet: token('ink-3'),
    line: token('line'),
    surface: token('surface'),
    ok: token('ok'),
    warn: token('warn'),
    bad: token('bad'),
    busy: token('busy'),
    off: token('off'),
    unknown: token('line-strong'),
  }
}
