import type { FirmwareLink } from '../../contract/api/firmware.ts'
import { goodForMs, type DownloadLink, type CachedDocument } from '../metadata/metadata.ts'

/**
 * When a link expires, in epoch milliseconds: from its record, else from its address (signatures of Azure,
 * CloudFront and Amazon S3 contain it). null: neither states it.
 */
export function expiryOf(link: DownloadLink, observedAt: number): number | null {
  const goodFor = goodForMs(link)
  return (
    link.expiresAt ??
    (goodFor === null ? null : observedAt + goodFor) ??
    (link.url === null ? null : expiryIn(link.url))
  )
}

/** False also if no expiry is stated. */
export const hasEnded = ({ value, observedAt }: CachedDocument<DownloadLink>, now: number): boolean =>
  (expiryOf(value, observedAt) ?? Number.POSITIVE_INFINITY) <= now

/** A link in the form of the window and the command line. */
export const publicLink = (
  link: DownloadLink,
  observedAt: number,
): Omit<FirmwareLink, 'version' | 'buildType' | 'bundle' | 'observedAt' | 'fromCache'> => {
  const { url, refused, bytes, md5, raw } = link
  return {
    url,
    host: url === null ? null : new URL(url).host,
    refused,
    expiresAt: expiryOf(link, observedAt),
    bytes,
    md5,
    raw,
  }
}

function expiryIn(url: string): number | null {
  const query = new Map([...new URL(url).searchParams].map(([name, value]) => [name.toLowerCase(), value]))
  const seconds = (name: string): number | null =>
    /^\d{1,12}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : null
  const day = /^\d{4}-\d{2}-\d{2}/.test(query.get('se') ?? '')
    ? Date.parse(query.get('se') ?? '')
    : Number.NaN
  if (!Number.isNaN(day)) return day
  const [, year, month, date, hour, minute, second] =
    /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/.exec(
      query.get('x-amz-date') ?? query.get('x-goog-date') ?? '',
    ) ?? []
  const signedFor = seconds('x-amz-expires') ?? seconds('x-goog-expires')
  if (year !== undefined && signedFor !== null)
    return (
      Date.UTC(Number(year), Number(month) - 1, Number(date), Number(hour), Number(minute), Number(second)) +
      signedFor * 1_000
    )
  const moment = seconds('expires')
  // Less than a year in seconds is a duration, and its start is not stated.
  return moment === null || moment < 31_536_000 ? null : moment * 1_000
}
