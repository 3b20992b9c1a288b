import type { Room } from '../../contract/api/rooms.ts'
import type { Handlers } from '../../contract/rpc-client.ts'
import { feature, methods, type Client } from '../feature.ts'
import type { SharedBase, SharedDeps } from '../core-features.ts'
import type { Store } from '../storage/store.ts'
import type { Workbook } from '../storage/workbook.ts'
import { openRooms } from './rooms.ts'

export const roomsFeature = feature({
  open(needs: Pick<SharedBase, 'platform'> & { readonly store: Store; readonly workbook: Workbook }) {
    const { platform, store, workbook } = needs
    const rooms = openRooms({ store, workbook, clock: platform.clock })
    return {
      gives: { rooms },
      onRowsChanged: (id, how) => rooms.changed(id, how === 'beside' ? undefined : how),
      close: null,
    }
  },
  handlers: null,
})

/** The methods for rooms of the current organization. */
export const roomMethods = methods(
  ({
    shared: { rooms, changes, emit },
    currentId,
    session,
  }: Client<SharedDeps, { readonly refreshRoom: (id: string) => Promise<Room> }>): {
    readonly rooms: Handlers<'rooms'>
  } => ({
    rooms: {
      list: async (query) => rooms.list(await currentId(), query),
      groups: async (query) => rooms.groups(await currentId(), query),
      get: async ({ id }) => rooms.find(await currentId(), id),
      find: async ({ text }) => rooms.typed(await currentId(), text),
      history: async ({ id }) => changes.forSubject(await currentId(), 'room', id),
      position: async (query) => rooms.position(await currentId(), query),
      suggest: async (query) => rooms.suggest(await currentId(), query),
      refresh: async ({ id }) => (await session()).refreshRoom(id),
      async setNote({ id, note }) {
        const room = await rooms.write(await currentId(), id, 'note', note)
        emit('rooms.changed', { count: 0 })
        return room
      },
      async setSite({ id, site }) {
        const room = await rooms.write(await currentId(), id, 'site', site)
        emit('rooms.changed', { count: 0 })
        return room
      },
      sites: async () => rooms.sites(await currentId()),
      async chooseSites({ separator }) {
        const sites = await rooms.chooseSites(await currentId(), separator)
        emit('rooms.changed', { count: 0 })
        return sites
      },
    },
  }),
)
