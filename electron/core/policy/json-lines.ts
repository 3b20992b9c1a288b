import type { Json } from '../../contract/json.ts'

/** JSON is not read as written. `line` begins at 1. */
export class JsonFault extends Error {
  readonly line: number
  constructor(message: string, line: number) {
    super(message)
    this.name = 'JsonFault'
    this.line = line
  }
}

/** A member of an object or list, with its path such as `organizations.0.name`. */
export interface Place {
  readonly path: string
  readonly line: number
}

/** Deeper documents are refused, because reading them may end the program. Known ones have three levels. */
const levelsAtMost = 20

/**
 * As JSON.parse, which gives no lines and drops the first of two members with the same name. Throws JsonFault,
 * also for such members.
 */
export function parseWithLines(text: string): { readonly value: Json; readonly places: readonly Place[] } {
  let at = 0
  const places: Place[] = []
  let counted = { position: 0, line: 1 }
  const lineAt = (position: number): number => {
    const from = position < counted.position ? { position: 0, line: 1 } : counted
    const lines = text.slice(from.position, position).split('\n').length - 1
    counted = { position, line: from.line + lines }
    return counted.line
  }
  const fault = (message: string, position = at): never => {
    throw new JsonFault(message, lineAt(position))
  }
  const matched = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0] ?? null
    if (found !== null) at += found.length
    return found
  }
  const skip = (): void => void matched(/[ \t\n\r]*/y)
  const taken = (sign: string): boolean => {
    skip()
    if (text[at] !== sign) return false
    at += 1
    return true
  }
  const expect = (sign: string): void => {
    if (!taken(sign)) fault(at < text.length ? `"${sign}" is expected here` : 'the document is incomplete')
  }
  const word = (): string => {
    const found = matched(/"(?:[^"\\\u{0}-\u{1f}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy)
    if (found !== null) return JSON.parse(found) as string
    if (at >= text.length) fault('the document is incomplete')
    return fault(text[at] === '"' ? 'a text is not closed or not valid' : 'a name in quotes is expected here')
  }
  /** Entries up to the closing sign, separated by commas. */
  const entries = (close: string, entry: (index: number) => void): void => {
    if (taken(close)) return
    for (let index = 0; ; index++) {
      entry(index)
      if (taken(close)) return
      expect(',')
    }
  }
  const value = (path: string, level: number): Json => {
    skip()
    if (level > levelsAtMost) fault('the document has too many levels')
    const under = (name: string | number): string => (path === '' ? String(name) : `${path}.${name}`)
    if (taken('{')) {
      const members = new Map<string, Json>()
      entries('}', () => {
        skip()
        const begins = at
        const name = word()
        if (members.has(name)) fault(`${JSON.stringify(name)} is there twice`, begins)
        places.push({ path: under(name), line: lineAt(begins) })
        expect(':')
        members.set(name, value(under(name), level + 1))
      })
      return Object.fromEntries(members)
    }
    if (taken('[')) {
      const list: Json[] = []
      entries(']', (index) => {
        skip()
        places.push({ path: under(index), line: lineAt(at) })
        list.push(value(under(index), level + 1))
      })
      return list
    }
    if (text[at] === '"') return word()
    const plain = matched(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y)
    if (plain !== null) return JSON.parse(plain) as Json
    return fault(at < text.length ? 'a value is expected here' : 'the document is incomplete')
  }
  const parsed = value('', 0)
  skip()
  if (at < text.length) fault('something follows the end of the document')
  return { value: parsed, places }
}
