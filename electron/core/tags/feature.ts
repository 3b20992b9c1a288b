import type { Changes } from '../changes/changes.ts'
import type { Devices } from '../devices/devices.ts'
import { feature, type Client } from '../feature.ts'
import type { SharedBase } from '../core-features.ts'
import type { Store } from '../storage/store.ts'
import type { Workbook } from '../storage/workbook.ts'
import { openTags, tagHandlers, type Tags } from './tags.ts'

export const tagsFeature = feature({
  open(
    needs: Pick<SharedBase, 'platform' | 'emit'> & {
      readonly workbook: Workbook
      readonly store: Store
      readonly devices: Devices
      readonly changes: Changes
    },
  ) {
    const { platform, emit, workbook, store, devices, changes } = needs
    const tags = openTags({
      workbook,
      store,
      clock: platform.clock,
      newId: platform.newId,
      selected: (id, selection) => devices.selected(id, selection),
    })
    const close = tags.onChange((id) => {
      devices.changed(id)
      changes.changed(id)
      emit('tags.changed', { count: 1 })
      emit('devices.changed', { count: 0 })
    })
    return { gives: { tags }, onRowsChanged: null, close }
  },
  handlers: ({ shared, currentId, tasks }: Client<{ readonly tags: Tags }, unknown>) =>
    tagHandlers(shared.tags, currentId, tasks),
})
