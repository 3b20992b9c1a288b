/**
 * Removes the key from an environment, so that child processes started later do not inherit it. null: none,
 * or blank. Electron's own helper processes on Linux are started earlier: there the window's launcher removes
 * it (build/launchers/headroom-window.sh).
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
