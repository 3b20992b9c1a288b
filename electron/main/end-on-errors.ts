/** What a program does with an error that nothing caught. */
export interface ErrorEnd {
  /** Writes the error to the log. */
  readonly note: (error: unknown) => void
  /** Shows a sentence to the person. */
  readonly show: (title: string, sentence: string) => void
  readonly exit: (code: number) => void
}

/**
 * Ends the program, because its state is unknown and it must not go on acting. Electron alone would go on after a rejection, and show a stack
 * after an exception.
 */
export function endOnErrors(
  errors: {
    on(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown
  },
  { note, show, exit }: ErrorEnd,
): void {
  const end = (error: unknown): void => {
    note(error)
    show(
      'Headroom had to end',
      `An error of its own ended it: ${error instanceof Error ? error.message : String(error)}. The log has the details. What was being sent is unconfirmed, and jobs are paused.`,
    )
    exit(3)
  }
  errors.on('uncaughtException', end)
  errors.on('unhandledRejection', end)
}
