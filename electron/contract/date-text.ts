const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const two = (part: number): string => String(part).padStart(2, '0')

/** `21 Nov 2026 13:58`. `timeZone`: IANA name; undefined: that of the computer. */
export function momentText(at: number, timeZone?: string): string {
  if (timeZone !== undefined)
    return dateText(
      new Intl.DateTimeFormat('en-GB', {
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
        timeZone,
      }),
      at,
    )
  // The first use of Intl takes a process 30 to 60 ms (measured).
  const local = new Date(at)
  const day = `${local.getDate()} ${months[local.getMonth()]!} ${local.getFullYear()}`
  return `${day} ${two(local.getHours())}:${two(local.getMinutes())}`
}

/** `13:58:07`, in the time zone of the computer. */
export function timeText(at: number): string {
  const local = new Date(at)
  return [local.getHours(), local.getMinutes(), local.getSeconds()].map(two).join(':')
}

/** Every month has three letters, and time follows without a comma: `en-GB` alone says `21 Sept 2026, 13:58`. */
export const dateText = (format: Intl.DateTimeFormat, at: number): string =>
  format
    .format(at)
    .replace(/\bSept\b/, 'Sep')
    .replace(',', '')
