import type {
  DriftedDevice,
  GoldenProfile,
  SettingDrift,
} from '../../electron/contract/api/golden-profiles.ts'
import { deviceTitle, type DeviceIdentity } from '../../electron/contract/device-name.ts'
import type { DriftState } from '../../electron/contract/golden-profile.ts'
import { formatCount } from '../components/format.ts'
import { text } from '../locales/i18n.ts'
import { tableText } from '../components/clipboard.ts'
import { useSettingNames } from '../settings/setting-names-store.ts'
import type { StatusKind } from '../components/status-kind.ts'
import { valueWords } from '../settings/setting-text.ts'

export const stateMarks: { readonly [S in DriftState]: StatusKind } = {
  'as-wanted': 'ok',
  drifted: 'warn',
  'not-available': 'idle',
  'not-read': 'unknown',
}
export const stateWord = (state: DriftState): string => text(`goldenProfiles.state.${state}`)

export const productOf = ({
  productName,
  productId,
  variantType,
}: Pick<GoldenProfile, 'productName' | 'productId' | 'variantType'>): string => {
  const product = productName ?? text('goldenProfiles.productId', { id: String(productId) })
  return variantType === null ? product : text('goldenProfiles.ofVariant', { product, variant: variantType })
}

/** Values of a choice are words; any other may be typed text, which stays as it is. */
export const wordFor = ({ isChoice }: Pick<SettingDrift, 'isChoice'>): ((value: string) => string) =>
  isChoice ? valueWords : (value) => value

/** One differing setting, as a sentence. */
function driftText(drift: SettingDrift, name: string): string {
  const { reason, now, wanted, refused } = drift
  const word = wordFor(drift)
  const named = { name, now: word(now ?? ''), wanted: word(wanted ?? ''), why: refused ?? '' }
  if (reason === 'value' && refused !== null) return text('goldenProfiles.drift.valueRefused', named)
  return text(`goldenProfiles.drift.${reason}`, named)
}
/** Settings in order, each named by `nameOf`. */
const driftTextOf = ({ drift }: DriftedDevice, nameOf: (name: string) => string): readonly string[] =>
  useSettingNames()
    .inOrder(drift)
    .map((one) => driftText(one, nameOf(one.name)))
/** The difference in the setting `of`, else the first; empty: there is none. */
export function driftOf({ drift }: Pick<DriftedDevice, 'drift'>, of: string | null): string {
  const names = useSettingNames()
  const shown = drift.find(({ name }) => name === of) ?? names.inOrder(drift)[0]
  return shown === undefined ? '' : driftText(shown, names.labelOf(shown.name))
}
/** How many differences are not shown, as text; empty: none. */
export const moreDriftOf = ({ drift }: Pick<DriftedDevice, 'drift'>): string =>
  drift.length > 1 ? text('goldenProfiles.drift.more', { n: formatCount(drift.length - 1) }) : ''
/** The same with the names of the management interface. */
export const namedDriftOf = (device: DriftedDevice): string =>
  driftTextOf(device, useSettingNames().labelWithName).join('; ')

export const identityOf = ({ room, ...device }: DriftedDevice): DeviceIdentity => ({
  ...device,
  room: { name: room },
})

export const linesOf = (devices: readonly DriftedDevice[]): string =>
  tableText(
    devices.map((one) => [
      deviceTitle(identityOf(one)),
      one.productName ?? '',
      one.serialNumber ?? '',
      stateWord(one.state),
      namedDriftOf(one),
    ]),
  )
