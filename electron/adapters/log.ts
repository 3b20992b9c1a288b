import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../core/platform.ts'
import { forOwnerAlone } from './data-folder.ts'

/*
 * Why not electron-log: outside Electron its file transport keeps one shared state per process, and every
 * line must pass our scrubber with any transport. This file is all that is needed instead (2026-11-21; cost:
 * no remote or console transport).
 */

/**
 * Size at which the current file is rotated. Both files together stay under 2 MiB. Raise it if a day of use
 * does not fit.
 */
const fullAtBytes = 1024 * 1024
const longestText = 2_000

export interface FileLog extends Log {
  /**
   * From now on every line also passes this scrubber: the known keys are available only when organizations
   * are open.
   */
  scrubWith(scrub: (text: string) => string): void
}

/**
 * JSON lines in `headroom.log`; older lines in `headroom.previous.log`. Never throws: a program must not end
 * because its log cannot be written.
 */
export function openLog(folder: string, now: () => number = Date.now): FileLog {
  const file = join(folder, 'headroom.log')
  const previous = join(folder, 'headroom.previous.log')
  let scrubber = (text: string): string => text
  for (const name of [file, previous]) forOwnerAlone(name)
  let size = sizeOf(file)
  return {
    scrubWith(next) {
      scrubber = next
    },
    write(level, message, details = {}) {
      if (level === 'debug') return
      try {
        const clean = (text: string): string => withoutNamedKeys(scrubber(text)).slice(0, longestText)
        const fields = Object.entries(details).map(([name, value]) => [
          clean(name),
          secretName.test(name) && value !== null
            ? removed
            : typeof value === 'string'
              ? clean(value)
              : value,
        ])
        const line = `${JSON.stringify({ at: new Date(now()).toISOString(), level, message: clean(message), ...Object.fromEntries(fields) })}\n`
        if (size === 0) mkdirSync(folder, { recursive: true, mode: 0o700 })
        if (size > 0 && size + Buffer.byteLength(line) > fullAtBytes) {
          renameSync(file, previous)
          size = 0
        }
        appendFileSync(file, line, { mode: 0o600 })
        size += Buffer.byteLength(line)
      } catch {
        // The databases report a full or read-only disk in the window.
        size = sizeOf(file)
      }
    },
  }
}

const removed = '[removed]'
const secretName = /key$|subscription-?key|password|secret|authorization|cookie|token/i
/** `Ocp-Apim-Subscription-Key: …`, `"continuationToken":"…"`, `?code=…&sig=…` inside a longer text. */
const namedInText =
  /((?:subscription-?key|password|secret|authorization|cookie|continuation-?token|\bsig|\bcode)["']?\s*[:=]\s*)("[^"]*"|'[^']*'|(?:(?:Basic|Bearer)\s+)?[^\s,;&"']+)/gi

const withoutNamedKeys = (text: string): string => text.replaceAll(namedInText, `$1${removed}`)

function sizeOf(file: string): number {
  try {
    return statSync(file).size
  } catch {
    return 0
  }
}
