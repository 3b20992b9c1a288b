import { formFactorOf, type FormFactor } from '../../electron/contract/form-factor.ts'

const places = ['wall', 'door', 'table', 'elsewhere'] as const
type Place = (typeof places)[number]
const placeOf: Readonly<Partial<Record<FormFactor, Place>>> = {
  'video-bar': 'wall',
  camera: 'wall',
  panel: 'door',
  speakerphone: 'table',
  controller: 'table',
}

/** Devices at the usual position for their kind, because real positions are not published. */
export function inPlaces<D extends { readonly name: string | null; readonly productName: string | null }>(
  devices: readonly D[],
): readonly { readonly place: Place; readonly devices: readonly (D & { readonly form: FormFactor })[] }[] {
  const groups = Map.groupBy(
    devices.map((device) => ({ ...device, form: formFactorOf(device.productName ?? device.name) })),
    ({ form }) => placeOf[form] ?? 'elsewhere',
  )
  return places.map((place) => ({ place, devices: groups.get(place) ?? [] }))
}
