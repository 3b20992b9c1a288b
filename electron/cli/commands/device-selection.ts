import type { DeviceSelection } from '../../contract/api/devices.ts'
import type { CoreClient } from '../core-client.ts'
import { UsageError } from '../grammar.ts'
import { each } from './jobs.ts'

/** Throws UsageError if the command has neither devices nor --where, or both. */
export function mustSelectDevices(command: string, devices: readonly string[], where: string | null): void {
  if (devices.length === 0 && where === null) throw new UsageError(`${command} needs a DEVICE, or --where.`)
  if (devices.length > 0 && where !== null)
    throw new UsageError(`${command}: use either device names or --where.`)
}

/** Rejects with UsageError if --where cannot match anything because no device was read yet. */
export async function mustHaveDevices(
  core: CoreClient,
  command: string,
  where: string | null,
): Promise<void> {
  if (where === null) return
  if ((await core.handlers.app.status()).deviceCount === 0)
    throw new UsageError(`${command}: no devices have been read yet. headroom sync reads them.`)
}

/** The named devices, or all that match; rejects with Failed if a name is not known. */
export const deviceSelectionOf = async (
  core: CoreClient,
  devices: readonly string[],
  where: string | null,
): Promise<DeviceSelection> =>
  where === null
    ? {
        kind: 'picked',
        ids: await each(devices, async (device) => (await core.handlers.devices.find({ text: device })).id),
      }
    : { kind: 'matching', where, except: [] }
