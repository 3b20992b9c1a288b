import { expect, it } from 'vitest'
import { useSettingNames } from '../../../renderer/settings/setting-names-store.ts'
import { nameMatches } from '../../../renderer/settings/setting-text.ts'
import { openCore } from '../core.ts'

it('settings are named by the name map once it is loaded, and are found by label and by name', async () => {
  const core = await openCore()
  const names = useSettingNames()
  const all = ['videoStiching', 'sidetoneEnabled', 'sidetoneLevelEnum'].map((name) => ({ name }))
  const visibleNames = () => [
    names.inOrder(all).map(({ name }) => names.labelWithName(name)),
    ['stitching', 'stiching', 'tone level', 'levelenum'].map((typed) =>
      all.filter(({ name }) => nameMatches(name, typed)).map(({ name }) => name),
    ),
  ]
  const previous = visibleNames()
  const selection = {
    product: null,
    variantType: null,
    firmwareVersion: null,
    schemaVersion: null,
    definitionVersion: null,
    trimmed: false,
    source: 'service' as const,
  }
  await core.finish(core.handlers.definitions.documents({ selection, kinds: ['name-map'] }))
  await names.load()
  expect([previous, visibleNames()]).toEqual([
    [
      [
        'Sidetone enabled (sidetoneEnabled)',
        'Sidetone level (sidetoneLevelEnum)',
        'Video stiching (videoStiching)',
      ],
      [[], ['videoStiching'], ['sidetoneLevelEnum'], ['sidetoneLevelEnum']],
    ],
    [
      [
        'Sidetone (sidetoneLevelEnum)',
        'Sidetone enabled (sidetoneEnabled)',
        'Video stitching (videoStiching)',
      ],
      [['videoStiching'], ['videoStiching'], [], ['sidetoneLevelEnum']],
    ],
  ])
})
