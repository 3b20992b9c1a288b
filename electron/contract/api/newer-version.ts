import { nothing } from '../argument-parts.ts'
import { method } from '../method.ts'

/** A newer Headroom, as its publisher describes it. */
export interface NewerVersion {
  readonly version: string
  /** Of its release, `2026-11-20`. */
  readonly date: string
  /** Plain text. */
  readonly notes: string
  /** An https address on the host that was asked. */
  readonly page: string
}

/**
 * Why it is not known whether there is a newer version. The last ones are about the document: the member that
 * cannot be used.
 */
export type NewerProblem =
  | 'not-configured'
  | 'by-policy'
  | 'by-installer'
  | 'host-not-allowed'
  | 'no-answer'
  | 'redirect'
  | 'too-large'
  | 'unreadable'
  | 'version'
  | 'date'
  | 'notes'
  | 'page'

export interface NewerCheck {
  /** Of this program. */
  readonly version: string
  /** null: none is known. */
  readonly newer: NewerVersion | null
  /** `host`: the one that was asked, empty if none was. `detail`: what it answered, if that says more. */
  readonly problem: {
    readonly reason: NewerProblem
    readonly host: string
    readonly detail: string
  } | null
}

export const newerVersion = {
  /** Asks now. Nothing is downloaded or installed. */
  check: method(nothing).returns<NewerCheck>(),
}
