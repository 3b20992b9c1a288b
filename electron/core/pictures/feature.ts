import { feature, type Client } from '../feature.ts'
import type { ReleaseNotesReader } from '../release-notes/release-notes.ts'
import type { SessionBase } from '../session.ts'
import type { SharedDeps } from '../core-features.ts'
import type { Store } from '../storage/store.ts'
import { openCachedPictures, openPictures, pictureHandlers, type Pictures } from './pictures.ts'

export const cachedPicturesFeature = feature({
  open: ({ store }: { readonly store: Store }) => ({
    gives: { pictures: openCachedPictures(store.database) },
    onRowsChanged: null,
    close: null,
  }),
  handlers: null,
})

export const picturesFeature = feature({
  open(needs: SessionBase & { readonly releaseNotes: ReleaseNotesReader }) {
    const {
      shared,
      organization: { id },
      metadataUrl,
      interfaceName,
      releaseNotes,
    } = needs
    const { platform, emit } = shared
    const pictures = openPictures({
      clock: platform.clock,
      log: platform.log,
      dataFolder: platform.dataFolder,
      names: platform.names,
      transport: platform.fileTransport,
      ownOrigin: new URL(metadataUrl).origin,
      interfaceName,
      cache: shared.pictures,
      // Returns cached data, so that a caller that waits for a document is not delayed by a picture.
      named: (product) => releaseNotes.pictures(product, { cachedOnly: true }),
      counted: (url, attempt) => shared.connections.attempted(url, 'picture', id, attempt),
      changed: () => emit('pictures.changed', { count: 1 }),
    })
    return { gives: { pictures }, onRowsChanged: null, close: () => pictures.close() }
  },
  handlers: ({ session }: Client<SharedDeps, { readonly pictures: Pictures }>) => ({
    pictures: pictureHandlers(session),
  }),
})
