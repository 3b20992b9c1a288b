/**
 * Takes the key out of an environment: what is started from then on does not inherit it. null: none, or blank. Where the system starts
 * helpers of a program before its first line runs (Electron's own, on Linux), those have seen it.
 */
export function takeKey(environment: Record<string, string | undefined>): string | null {
  const key = environment['HEADROOM_KEY']?.trim() ?? ''
  delete environment['HEADROOM_KEY']
  return key === '' ? null : key
}

/** For a child process: everything but the key, whether it was taken out before or not. Windows knows a variable in any case. */
export const withoutKey = (
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] =>
        entry[0].toUpperCase() !== 'HEADROOM_KEY' && entry[1] !== undefined,
    ),
  )
