/**
 * A longer time is treated as an error: a year has the same effect as no limit, and keeps the arithmetic
 * exact.
 */
const longestStatedInS = 366 * 86_400
/** Used without a usable value: the wait of a public client (services.md#B15). */
const defaultWaitInMs = 1_000

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const fixed = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/
const older =
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d{2})-([A-Z][a-z]{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT$/
const asctime = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/

/** Not the comma after the day of a date. */
const betweenHeaders = /(?<!day|Mon|Tue|Wed|Thu|Fri|Sat|Sun),/

/**
 * The moment (epoch ms, our clock) from which a `Retry-After` header allows the next call; never earlier than
 * stated. A date is interpreted relative to the response's own `Date`, so a wrong clock on either side has no
 * effect (RFC 9110, 10.2.3). A fraction is rounded up; a missing or invalid value counts as one second.
 */
export function retryMoment(header: string | null, dateHeader: string | null, nowAt: number): number {
  return statedMoment(header, dateHeader, nowAt) ?? nowAt + defaultWaitInMs
}

/**
 * As `retryMoment`; null: missing or invalid. The transport joins several headers with commas (a gateway
 * before a gateway): the longest applies.
 */
export function statedMoment(header: string | null, dateHeader: string | null, nowAt: number): number | null {
  const moments = (header?.split(betweenHeaders) ?? []).flatMap(
    (one) => oneMoment(one.trim(), dateHeader, nowAt) ?? [],
  )
  return moments.length === 0 ? null : Math.max(...moments)
}

function oneMoment(stated: string, dateHeader: string | null, nowAt: number): number | null {
  if (/^\d+(?:\.\d+)?$/.test(stated))
    return nowAt + Math.min(Math.ceil(Number(stated)), longestStatedInS) * 1_000
  const until = httpDate(stated, nowAt)
  if (until === null) return null
  const sentAt = httpDate(dateHeader?.trim() ?? '', nowAt) ?? nowAt
  return nowAt + Math.min(Math.max(0, until - sentAt), longestStatedInS * 1_000)
}

/** Only the three forms of RFC 9110, 5.6.7; null: not a date. Epoch ms. */
export function httpDate(text: string, nowAt: number): number | null {
  const fix = fixed.exec(text)
  if (fix) return moment(Number(fix[3]), fix[2]!, fix[1]!, fix[4]!, fix[5]!, fix[6]!)
  const old = older.exec(text)
  if (old) {
    // A year of two digits that seems more than fifty years ahead is in the previous century (RFC 9110,
    // 5.6.7).
    const thisYear = new Date(nowAt).getUTCFullYear()
    const year = thisYear - (thisYear % 100) + Number(old[3])
    return moment(year > thisYear + 50 ? year - 100 : year, old[2]!, old[1]!, old[4]!, old[5]!, old[6]!)
  }
  const c = asctime.exec(text)
  return c ? moment(Number(c[6]), c[1]!, c[2]!, c[3]!, c[4]!, c[5]!) : null
}

function moment(
  year: number,
  month: string,
  day: string,
  hours: string,
  minutes: string,
  seconds: string,
): number | null {
  const index = months.indexOf(month)
  const at = Date.UTC(year, index, Number(day), Number(hours), Number(minutes), Number(seconds))
  const isReal =
    index >= 0 &&
    new Date(at).getUTCDate() === Number(day) &&
    Number(hours) < 24 &&
    Number(minutes) < 60 &&
    Number(seconds) <= 60
  return isReal ? at : null
}
