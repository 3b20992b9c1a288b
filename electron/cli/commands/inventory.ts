import type { Device } from '../../contract/device.ts'
import type { Room } from '../../contract/room.ts'
import { flag, show, type Command, type Terminal } from '../command.ts'
import { sentence } from '../sentences.ts'
import { moment, table } from '../table.ts'

export const inventoryCommands: readonly Command[] = [
  {
    name: 'sync',
    operands: [],
    options: {},
    summary: 'reads every device and room of the organization',
    run: async (console, given, terminal) => {
      const report = await console.answers.sync.run()
      show(given, terminal, report, () =>
        [
          report.complete ? 'Complete.' : 'Not complete: what was read is kept, and the next sync goes on from there.',
          `Devices ${report.devices.read}, unreadable ${report.devices.unreadable}, gone ${report.devices.gone}.`,
          `Rooms ${report.rooms.read}, unreadable ${report.rooms.unreadable}, gone ${report.rooms.gone}.`,
          `${report.calls} calls, ${((report.finishedAt - report.startedAt) / 1000).toFixed(1)} s.`,
        ].join('\n'),
      )
      const { notes, lastFailure } = (await console.desks.current()).sync.state()
      for (const note of notes) terminal.say(note)
      if (!report.complete && lastFailure !== null) terminal.say(flag(given, 'json') ? JSON.stringify(lastFailure) : sentence(lastFailure))
      return report.complete ? 0 : 4
    },
  },
  {
    name: 'devices',
    operands: [],
    options: { jsonl: { type: 'boolean', help: 'one JSON document a line' } },
    summary: 'lists the devices that were read, without the network',
    run: async (console, given, terminal) => {
      const { devices } = console.shared
      const { id } = await console.desks.currentOrganization()
      const { asOf } = await devices.standing(id)
      // Gone devices are listed too, marked: what was known of them is not thrown away.
      const all = 'gone:any'
      const { total } = await devices.window(id, { where: all, sort: [], start: 0, count: 1 })
      if (flag(given, 'json') || flag(given, 'jsonl')) {
        await list(terminal, flag(given, 'jsonl'), `{"asOf":${JSON.stringify(asOf)},"total":${total},"devices":[`, devices.all(id, all), deviceDocument)
        return 0
      }
      const rows: (string | number | null)[][] = []
      for await (const one of devices.all(id, all))
        rows.push([
          one.name,
          one.productName,
          one.serialNumber,
          one.firmwareVersion,
          one.gone ? `gone ${moment(one.goneAt) ?? ''}` : one.status,
          one.room?.name ?? null,
          moment(one.lastSeenAt),
        ])
      terminal.print(
        rows.length === 0
          ? 'No devices were read yet: headroom sync'
          : `${table(['Name', 'Product', 'Serial', 'Firmware', 'Status', 'Room', 'Last seen'], rows)}\n${total} devices, as of ${moment(asOf) ?? ''}`,
      )
      return 0
    },
  },
  {
    name: 'rooms',
    operands: [],
    options: { jsonl: { type: 'boolean', help: 'one JSON document a line' } },
    summary: 'lists the meeting rooms that were read, without the network',
    run: async (console, given, terminal) => {
      const { rooms } = console.shared
      const { id } = await console.desks.currentOrganization()
      const { asOf, count: total } = await rooms.standing(id)
      if (flag(given, 'json') || flag(given, 'jsonl')) {
        await list(terminal, flag(given, 'jsonl'), `{"asOf":${JSON.stringify(asOf)},"total":${total},"rooms":[`, rooms.all(id), roomDocument)
        return 0
      }
      const lines: (string | number | null)[][] = []
      for await (const one of rooms.all(id))
        lines.push([
          one.name ?? one.id,
          one.location,
          one.seatCount,
          one.gone ? `gone ${moment(one.goneAt) ?? ''}` : one.status,
          one.devices === null ? null : `${one.onlineCount ?? 0}/${one.devices.length}`,
        ])
      terminal.print(
        lines.length === 0
          ? 'No rooms were read yet: headroom sync'
          : `${table(['Room', 'Location', 'Seats', 'Status', 'Online'], lines)}\n${total} rooms, as of ${moment(asOf) ?? ''}`,
      )
      return 0
    },
  },
]

/** Written as it is read: 100,000 devices with their raw records are over 100 MB of text. */
async function list<T>(terminal: Terminal, lines: boolean, head: string, records: AsyncIterable<T>, document: (one: T) => unknown): Promise<void> {
  let first = true
  if (!lines) await terminal.write(head)
  for await (const one of records) {
    const text = JSON.stringify(document(one))
    await terminal.write(lines ? `${text}\n` : `${first ? '' : ','}${text}`)
    first = false
  }
  if (!lines) await terminal.write(']}\n')
}

const deviceDocument = (one: Device): unknown => ({
  id: one.id,
  name: one.name,
  serialNumber: one.serialNumber,
  productId: one.productId,
  variantType: one.variantType,
  productName: one.productName,
  firmwareVersion: one.firmwareVersion,
  groupId: one.groupId,
  status: one.status,
  lastSeenAt: one.lastSeenAt,
  addedAt: one.addedAt,
  observedAt: one.observedAt,
  gone: one.gone,
  goneAt: one.goneAt,
  room: one.room,
  computer: one.computer,
  raw: one.raw,
})

const roomDocument = (one: Room): unknown => ({
  id: one.id,
  name: one.name,
  status: one.status,
  location: one.location,
  seatCount: one.seatCount,
  devices: one.devices,
  observedAt: one.observedAt,
  gone: one.gone,
  goneAt: one.goneAt,
  raw: one.raw,
})
