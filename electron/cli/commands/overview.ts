import { roomHealths } from '../../contract/fields/room.ts'
import { comparingText } from '../texts.ts'
import { show, type Command } from '../command.ts'
import { counted, moment, table } from '../table.ts'

export const overviewCommands: readonly Command[] = [
  {
    name: 'overview',
    summary: 'shows what needs to be done: rooms, firmware, changes, silent devices',
    run: async (core, given, terminal) => {
      const found = await core.handlers.overview.get()
      return show(given, terminal, found, () => {
        const { asOf, deviceCount, roomCount, rooms, firmware, changes, silent, stale } = found
        if (asOf === null) return 'Nothing has been read yet: headroom sync'
        const { words, products, comparing } = firmware
        const health = roomHealths.map((word) => `${rooms.health[word]} ${word}`).join(', ')
        return [
          `${counted(deviceCount, 'device')} and ${counted(roomCount, 'room')}, as of ${moment(asOf) ?? ''}.`,
          `Rooms: ${health}.`,
          ...(rooms.worst.length === 0
            ? []
            : table(
                ['Room', 'Location', 'Health', 'Online'],
                rooms.worst.map(
                  ({ name, id, location, health: worst, onlineCount, deviceCount: devices }) => [
                    name ?? id,
                    location,
                    worst,
                    devices === null ? null : `${onlineCount ?? 0}/${devices}`,
                  ],
                ),
              )),
          ...(comparing === undefined
            ? [
                `Firmware, compared with the ${firmware.comparedWith ?? 'latest'} versions: ${words.revoked} revoked, ${words.behind} behind, ${words.current} current, ${words.ahead} ahead, ${words.unknown} unknown.`,
                ...(products.length === 0
                  ? []
                  : table(
                      ['Product', 'Revoked', 'Behind', 'Current', 'Unknown'],
                      products.map((one) => [
                        one.productName ?? one.productId,
                        one.revoked,
                        one.behind,
                        one.current,
                        one.unknown,
                      ]),
                    )),
              ]
            : [comparingText(comparing)]),
          changes.since === null
            ? 'No changes have been found yet.'
            : `${counted(changes.total, 'change')} since ${moment(changes.since) ?? ''}${changes.total === 0 ? '' : `: ${changes.kinds.map(({ word, count }) => `${count} ${word}`).join(', ')}`}.`,
          `Last seen a week ago or longer: ${silent}. Read too long ago: ${stale}.`,
        ]
      })
    },
  },
]
