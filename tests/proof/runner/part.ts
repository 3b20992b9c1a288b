import type { Count } from '../../setup/cases.ts'

/** What was found of a target (`aims.ts`). */
export interface Figure {
  readonly id: string
  readonly figure: string
  readonly isMet: boolean
}

/** What one piece of a part did. */
export interface Result {
  readonly counts: readonly Count[]
  /** Each failed test with its reason. */
  readonly failed: readonly { readonly test: string; readonly detail: string }[]
  readonly seconds: number
  /** Further lines for the report. */
  readonly notes?: readonly string[]
  /** For the table of all targets. */
  readonly figures?: readonly Figure[]
}

/** A part of the proof, exported as `part` by a file in `tests/proof`. */
export interface Part {
  /** The first sentence of its report. */
  readonly purpose: string
  /** What it runs, one after another: a result is kept when a run is interrupted. */
  readonly pieces: readonly string[]
  /** They would disturb each other; else as many run at once as there are processors. */
  readonly oneByOne: boolean
  /** The targets that name a number: some test of the piece must run that often. */
  readonly targets: readonly {
    readonly id: string
    readonly target: string
    readonly piece: string
    readonly of: Count['of']
    readonly due: number
  }[]
  /** The target that all its counts together show; absent: its pieces have figures. */
  readonly shows?: string
  /** What all its pieces show together. */
  readonly together?: (results: readonly Result[]) => readonly Figure[]
  /** A sentence, if it cannot run on this computer. */
  cannotRun(): Promise<string | null>
  run(piece: string, seed: number, stop: AbortSignal): Promise<Result>
  /** The command that repeats one piece. */
  again(piece: string, seed: number): string
}
