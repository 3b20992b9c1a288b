/** `22:00`. */
export const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
/** A typed time of day: `22:00`, `7.30`, `0730`, `7`; null: invalid. */
export function minutesOf(typed: string): number | null {
  const [, hours, minutes = '0'] = /^(\d{1,2})(?:[:.]?(\d{2}))?$/.exec(typed.trim()) ?? []
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return null
  return Number(hours) * 60 + Number(minutes)
}
