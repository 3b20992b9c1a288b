import { z } from 'zod'
import {
  byId,
  count,
  free,
  id,
  int32,
  nothing,
  settingChanges,
  start,
  text,
  version,
} from '../argument-parts.ts'
import {
  driftStates,
  type DriftedDeviceWindow,
  type GoldenProfile,
  type GoldenProfileDetails,
  type GoldenProfileStanding,
  type NotAllowedWindow,
} from '../golden-profile.ts'
import { event, method } from '../method.ts'

const devices = z.strictObject({ id, state: z.enum(driftStates).nullable(), setting: text(200).nullable() })

/** Every judgement is made from settings that were read before: nothing is asked of a device or a service. */
export const goldenProfiles = {
  /** By name as people count. */
  list: method(nothing).returns<readonly GoldenProfileStanding[]>(),
  get: method(byId).returns<GoldenProfileDetails>(),
  devices: method(devices.extend({ start, count })).returns<DriftedDeviceWindow>(),
  /** The ids of those devices, for a job: the first 10,000; `total` says of how many. */
  deviceIds: method(devices).returns<{ readonly ids: readonly string[]; readonly total: number }>(),
  /** A new one, or one changed. Names are unique in an organization, in whatever case. */
  save: method(
    z.strictObject({
      id: id.nullable(),
      name: free,
      productId: int32,
      variantType: version.nullable(),
      settings: settingChanges,
    }),
  ).returns<GoldenProfile>(),
  remove: method(byId).returns<void>(),
  notAllowed: method(z.strictObject({ start, count })).returns<NotAllowedWindow>(),
  /** Golden profiles, or what is known of the devices they are compared with. */
  changed: event<{ readonly count: number }>(),
}
