import { feature, type Client } from '../feature.ts'
import type { SessionBase } from '../session.ts'
import type { CachedSettings } from '../settings/settings.ts'
import type { SharedDeps } from '../core-features.ts'
import { goldenProfileHandlers, openGoldenProfiles, type GoldenProfiles } from './golden-profiles.ts'

export const goldenProfilesFeature = feature({
  open(
    needs: SessionBase & {
      readonly cachedSettings: CachedSettings
      readonly onSettingsStored: (listener: () => void) => () => void
    },
  ) {
    const { organization, cachedSettings, onSettingsStored } = needs
    const { platform, workbook, store, devices, emit } = needs.shared
    const goldenProfiles = openGoldenProfiles({
      organizationId: organization.id,
      workbook,
      store,
      devices,
      clock: platform.clock,
      newId: platform.newId,
      settings: cachedSettings,
    })
    goldenProfiles.onChange(() => emit('goldenProfiles.changed', { count: 0 }))
    onSettingsStored(() => goldenProfiles.changed('more-to-come'))
    return {
      gives: { goldenProfiles },
      onRowsChanged: (_, how) => goldenProfiles.changed(how === 'beside' ? 'settled' : how),
      close: () => goldenProfiles.close(),
    }
  },
  handlers: ({ session, tasks }: Client<SharedDeps, { readonly goldenProfiles: GoldenProfiles }>) => ({
    goldenProfiles: goldenProfileHandlers(session, tasks),
  }),
})
