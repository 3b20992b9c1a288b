import { format } from 'node:util'

/** Collects console warnings instead of printing them; returns a check that throws those since the last one. */
export function watchWarnings(console: Pick<Console, 'warn' | 'error' | 'log'>): () => void {
  const written: string[] = []
  console.warn = (...words: unknown[]) => void written.push(format(...words))
  console.error = console.warn
  // Libraries announce deprecations here.
  console.log = console.warn
  return () => {
    const since = written.splice(0)
    if (since.length > 0) throw new Error(`This test warned:\n${since.join('\n')}`)
  }
}
