/** Every column a list of devices can be sorted by; `tags` is shown but not sorted. */
export const deviceSortColumns = [
  'name',
  'productName',
  'serialNumber',
  'firmwareVersion',
  'firmware',
  'status',
  'lastSeenAt',
  'roomName',
  'location',
  'userName',
  'computerName',
  'operatingSystem',
  'ipAddress',
  'macAddress',
  'clientName',
  'clientVersion',
  'clientType',
  'groupId',
  'productId',
  'variantType',
  'addedAt',
  'observedAt',
  'id',
] as const
export type DeviceSortColumn = (typeof deviceSortColumns)[number]
/** Chosen: more is meant by a filter. */
export const namedAtMost = 10_000
