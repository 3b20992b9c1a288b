export const roomSortColumns = [
  'name',
  'location',
  'type',
  'status',
  'health',
  'deviceCount',
  'onlineCount',
  'worstFirmware',
  'seatCount',
  'lastSeenAt',
  'observedAt',
] as const
export type RoomColumn = (typeof roomSortColumns)[number]
