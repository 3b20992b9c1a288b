/**
 * Removes the key from an environment, so that child processes started later do not inherit it. null: none,
 * or blank. Helper processes that the system starts before the program's first line runs (Electron's own, on
 * Linux) have already received it.
 */
export function takeKey(environment: Record<string, string | undefined>): string | null {
  const key = environment['HEADROOM_KEY']?.trim() ?? ''
  delete environment['HEADROOM_KEY']
  return key === '' ? null : key
}

/**
 * The environment for a child process, without the key even if it was not removed before. Windows matches
 * variable names in any case.
 */
export const withoutKey = (
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] =>
        entry[0].toUpperCase() !== 'HEADROOM_KEY' && entry[1] !== undefined,
    ),
  )
