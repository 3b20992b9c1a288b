import { afterAll, beforeAll, expect, it } from 'vitest'
import { inventoryCommands } from '../../electron/cli/commands/inventory.ts'
import { aDevice, aRoom } from '../a-device.ts'
import { anOddService, type OddService } from '../an-odd-service.ts'

let service: OddService
const read = async (isOnline: boolean): Promise<void> => {
  const deviceConnectionStatus = isOnline ? 'Online' : 'Offline'
  service.devices = {
    MeetingRoom: [aDevice(1, { groupId: 'group-1', deviceConnectionStatus })],
    Personal: [2, 3].map((n) => aDevice(n, { groupId: null, deviceConnectionStatus })),
  }
  await service.run(inventoryCommands, 'sync')
}
beforeAll(async () => {
  service = await anOddService()
  service.rooms = [aRoom(1)]
  await read(true)
  await read(false)
})
afterAll(() => service.close())

/** The kinds in the lines, and the text below them. */
const outputOf = async (...argv: string[]): Promise<readonly string[]> =>
  (await service.run(inventoryCommands, 'changes', ...argv)).output
    .trimEnd()
    .split('\n')
    .map((line) => /went-offline/.exec(line)?.[0] ?? line)
    .filter((line) => !line.startsWith('Seen'))

const off = 'went-offline'
it.each<[string, readonly string[], readonly string[]]>([
  [
    'personal devices that went on or off are summed up in one line',
    ['--where', 'of:device'],
    [off, 'Personal devices went on or off 2 times (--each lists them)', '1 change'],
  ],
  ['--each lists them', ['--where', 'of:device', '--each'], [off, off, off, '3 changes']],
  ['a filter by kind lists them', ['--where', `of:device kind:${off}`], [off, off, off, '3 changes']],
])('%s', async (_, argv, lines) => expect(await outputOf(...argv)).toEqual(lines))
