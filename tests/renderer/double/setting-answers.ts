import type { Device, DeviceSelection } from '../../../electron/contract/api/devices.ts'
import type { AllHandlers } from '../../../electron/contract/rpc-client.ts'
import { mergedSettings, type SettingsOfProduct } from '../../../electron/core/settings/settings-over.ts'

/** Settings over many devices: of every fourth product nothing was read until one of its devices is. */
export function settingAnswers(
  selected: (selection: DeviceSelection) => readonly Device[],
  settings: AllHandlers['devices']['settings'],
): Pick<AllHandlers['devices'], 'settings' | 'settingsOver'> {
  const read = new Set<string>()
  return {
    settings: async (asked) => {
      const answer = await settings(asked)
      read.add(asked.id)
      return answer
    },
    settingsOver: async ({ selection }) => {
      const devices = selected(selection)
      const products = [
        ...Map.groupBy(devices, ({ productName, productId }) => productName ?? `${productId}`),
      ]
      const known: SettingsOfProduct[] = []
      const told = await Promise.all(
        products.map(async ([product, all], index) => {
          const [some] = all.filter(({ id }) => read.has(id) || index % 4 !== 3)
          const answer = some ? await settings({ id: some.id, refresh: false }) : null
          if (answer) known.push({ product, devices: all.length, settings: [answer.settings] })
          return {
            product,
            devices: all.length,
            read: answer ? Math.ceil(all.length / 2) : 0,
            readAt: answer?.observedAt ?? null,
            unreadId: all[0]?.id ?? null,
          }
        }),
      )
      return {
        devices: devices.length,
        products: told.toSorted((a, b) => b.devices - a.devices),
        settings: mergedSettings(known),
      }
    },
  }
}
