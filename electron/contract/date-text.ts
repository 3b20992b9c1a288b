/** `21 Nov 2026 13:58`, with `dateText`. `timeZone`: IANA name; undefined: that of the computer. */
export const momentFormat = (timeZone?: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  })

/** Every month has three letters, and time follows without a comma: `en-GB` alone says `21 Sept 2026, 13:58`. */
export const dateText = (format: Intl.DateTimeFormat, at: number): string =>
  format
    .format(at)
    .replace(/\bSept\b/, 'Sep')
    .replace(',', '')
