import { feature, type Client } from '../feature.ts'
import type { Firmware } from '../firmware/firmware.ts'
import type { Metadata } from '../metadata/metadata.ts'
import type { SharedDeps } from '../core-features.ts'
import { openReleaseNotes, releaseNoteHandlers, type ReleaseNotesReader } from './release-notes.ts'

export const releaseNotesFeature = feature({
  open: ({ metadata, firmware }: { readonly metadata: Metadata; readonly firmware: Firmware }) => ({
    gives: {
      releaseNotes: openReleaseNotes({ metadata, releases: (product) => firmware.releases(product) }),
    },
    onRowsChanged: null,
    close: null,
  }),
  handlers: ({ session }: Client<SharedDeps, { readonly releaseNotes: ReleaseNotesReader }>) => ({
    releaseNotes: releaseNoteHandlers(session),
  }),
})
