import { format } from 'node:util'

/** Hears what a console warns of instead of printing it; answers a check that throws what was told since the last one. */
export function watchWarnings(console: Pick<Console, 'warn' | 'error' | 'log'>): () => void {
  const told: string[] = []
  console.warn = (...words: unknown[]) => void told.push(format(...words))
  console.error = console.warn
  // Where libraries say what they will do away with.
  console.log = console.warn
  return () => {
    const since = told.splice(0)
    if (since.length > 0) throw new Error(`This test warned:\n${since.join('\n')}`)
  }
}
