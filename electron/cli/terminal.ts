import { once } from 'node:events'
import type { Terminal } from './command.ts'

/** Where progress is no line that can be written over, a new one at most so often. Chosen. */
const linesApartMs = 5_000

/** The process's own standard streams and signals. */
export function standardTerminal(): Terminal {
  const live = process.stderr.isTTY
  let drawn = false
  let lastLine = ''
  let lastAt = Number.NEGATIVE_INFINITY
  // Whoever read the messages has gone (`2>&1 | head`): that ends no job in its middle.
  process.stderr.on('error', () => undefined)
  const clear = (): void => {
    if (drawn) process.stderr.write('\r\x1b[K')
    drawn = false
  }
  return {
    print: (line) => {
      clear()
      process.stdout.write(`${line}\n`)
    },
    write: async (piece) => {
      clear()
      if (!process.stdout.write(piece)) await once(process.stdout, 'drain')
    },
    say: (line) => {
      clear()
      process.stderr.write(`${line}\n`)
    },
    progress: (line) => {
      if (line === null) clear()
      else if (live) {
        process.stderr.write(`\r\x1b[K${line.slice(0, Math.max(20, process.stderr.columns - 1))}`)
        drawn = true
      } else if (line !== lastLine && performance.now() - lastAt >= linesApartMs) {
        lastLine = line
        lastAt = performance.now()
        process.stderr.write(`${line}\n`)
      }
    },
    onInterrupt: (listener) => {
      process.on('SIGINT', listener)
      process.on('SIGTERM', listener)
      return () => {
        process.off('SIGINT', listener)
        process.off('SIGTERM', listener)
      }
    },
    readInput: async () => {
      process.stdin.setEncoding('utf8')
      let input = ''
      for await (const piece of process.stdin) input += String(piece)
      return input
    },
  }
}
