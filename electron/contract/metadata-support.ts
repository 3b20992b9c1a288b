import type { VersionWatch } from './api/metadata.ts'
import { dateText } from './date-text.ts'

/**
 * How long a version is supported. `timeZone`: IANA name; undefined: that of the computer. Exact if the day of
 * the release after it is specified, else the latest possible one.
 */
export function supportText(
  inUse: number,
  { supportedUntilAt, firstSeen }: Pick<VersionWatch, 'supportedUntilAt' | 'firstSeen'>,
  now: number,
  timeZone?: string,
): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone })
  if (supportedUntilAt === null) return `Metadata version ${inUse} is supported.`
  const until = `${dateText(format, supportedUntilAt)}${firstSeen === null ? '' : ' at the latest'}`
  const seen =
    firstSeen === null
      ? ''
      : `; version ${firstSeen.version} was first seen on ${dateText(format, firstSeen.at)}`
  return now < supportedUntilAt
    ? `Metadata version ${inUse} is supported until ${until}${seen}.`
    : `The support of metadata version ${inUse} ended on ${until}${seen}.`
}
