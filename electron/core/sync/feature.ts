import { createHash } from 'node:crypto'
import type { Organization } from '../../contract/api/organizations.ts'
import type { Room } from '../../contract/api/rooms.ts'
import { feature, methods, type Client } from '../feature.ts'
import type { Management } from '../management/management.ts'
import type { SessionClients } from '../session-clients.ts'
import type { SessionBase } from '../session.ts'
import type { SharedDeps } from '../core-features.ts'
import { openSync, refreshRoom, syncHandlers, type Syncing } from './sync.ts'

/**
 * Keys by what is shown of them, hashed. Which of the two is sent does not count: both are for one
 * organization. The demonstration has another address and key at each start, and the same data. Empty without a
 * key: nothing can be read before there is one.
 */
function sourceOf({ preset, managementUrl, managementVersion, keys }: Organization): string {
  if (preset === 'demonstration') return preset
  if (keys.every(({ set }) => !set)) return ''
  const shown = keys.map(({ set, lastFour, addedAt }) => [set, lastFour, addedAt])
  return createHash('sha256')
    .update(JSON.stringify([managementUrl, managementVersion, shown]))
    .digest('base64url')
}

export const syncFeature = feature({
  async open(needs: SessionBase & { readonly clients: SessionClients; readonly management: Management }) {
    const {
      shared,
      organization: { id },
      budget,
      rowsChanged,
      statusChanged,
      clients,
      management,
    } = needs
    const { platform, organizations, store, devices, rooms, emit } = shared
    const { clock } = platform
    // A separate client, so that every attempt of a sync is counted, including those without data.
    let attempts = 0
    const client = clients.management(organizations.keyRing(id), { attempted: () => attempts++ })
    const sync = await openSync({
      clock,
      management: clients.managementOver(client),
      store,
      organizationId: id,
      source: () => sourceOf(organizations.get(id)),
      budget: () => budget.state(),
      retrying: () => client.retrying() > 0,
      attempts: () => attempts,
      changed: (_, how) => rowsChanged(how),
      firstRows: () => devices.firstRows(id),
      onError: (error) =>
        platform.log.write('error', 'A planned sync ended unexpectedly', { error: String(error) }),
    })
    const stopListening = sync.onProgress((read) => {
      const { running } = sync.state()
      statusChanged()
      if (read.devices > 0 || !running) emit('devices.changed', { count: read.devices })
      if (read.rooms > 0 || read.devices > 0 || !running) emit('rooms.changed', { count: read.rooms })
      if (!running) shared.changes.recorded()
    })
    /** A room was read again. */
    const roomRead = (): void => {
      rowsChanged('beside')
      shared.changes.recorded()
    }
    return {
      gives: {
        sync,
        roomRead,
        /** Reads one room again from the service and writes it to the store. */
        refreshRoom: (roomId: string): Promise<Room> =>
          refreshRoom({ clock, management, store, rooms, organizationId: id, changed: roomRead }, roomId),
      },
      onRowsChanged: null,
      close: async () => {
        stopListening()
        await sync.close()
      },
    }
  },
  handlers: null,
})

export const syncMethods = methods(({ session, tasks }: Client<SharedDeps, Syncing>) => ({
  sync: syncHandlers(session, tasks),
}))
