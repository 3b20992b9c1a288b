import { onTestFinished, vi } from 'vitest'

/**
 * A canvas that keeps the texts drawn on it: happy-dom has none, and gives no element a size. For this test alone. Answers what was drawn
 * so far, oldest first.
 */
export function standInCanvas(): string[] {
  const drawn: string[] = []
  const drawing: Record<string, unknown> = {
    fillText: (text: string) => void drawn.push(text),
    measureText: (text: string) => ({ width: text.length * 6 }),
  }
  const context = new Proxy(drawing, {
    get: (known, name: string) => known[name] ?? (() => undefined),
  })
  const { prototype } = HTMLElement
  const spies = [
    vi.spyOn(prototype, 'clientWidth', 'get').mockReturnValue(600),
    vi.spyOn(prototype, 'clientHeight', 'get').mockReturnValue(300),
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never),
  ]
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
  })
  return drawn
}
