import { z } from 'zod'
import { byId, free, id, int32, nothing, stages, text } from '../argument-parts.ts'
import { event, method } from '../method.ts'
import {
  assumedAtMost,
  type KeyCheck,
  type KeyState,
  type Organization,
  type OrganizationList,
} from '../organization.ts'

const byKey = z.strictObject({ id, slot: z.enum(['primary', 'secondary']) })
const template = text(600).nullable()
const assumed = z.array(z.string().min(1).max(assumedAtMost.characters)).max(assumedAtMost.words).readonly()
const draft = z.strictObject({
  name: free,
  preset: z.enum(['demonstration', 'jabra-plus', 'custom']),
  managementUrl: text(2_000),
  metadataUrl: text(2_000),
  managementVersion: z.int().min(0).max(1_000_000),
  metadataVersion: z.int().min(0).max(1_000_000),
  family: free,
  vendorId: int32,
  definitionCeiling: text(100).nullable(),
  templates: z.strictObject({
    deviceSettings: template,
    updateDeviceSettings: template,
    devicesWithSettings: template,
    firmwareRead: template,
    firmwareUpdate: template,
  }),
  rebootBy: z.enum(['group-id', 'room-id']),
  assumed: z.strictObject({ buildTypes: assumed, platforms: assumed, agentTypes: assumed }),
  includeStages: stages,
})

export const organizations = {
  list: method(nothing).returns<OrganizationList>(),
  add: method(draft).returns<Organization>(),
  update: method(z.strictObject({ id, draft })).returns<Organization>(),
  use: method(byId).returns<Organization>(),
  remove: method(byId).returns<void>(),
  /** The one method that carries a key. */
  setKey: method(byKey.extend({ key: text(2_000) })).returns<KeyState>(),
  checkKey: method(byKey).returns<KeyCheck>(),
  /** The technician says that a key stored before keys were bound may go to this origin, which is the organization's. */
  bindKey: method(byKey.extend({ origin: text(2_000) })).returns<KeyState>(),
  forgetKey: method(byKey).returns<KeyState>(),
  /** Uses the other key from now on; what stood still after a 401 goes on. */
  useKey: method(byKey).returns<Organization>(),
  /** The technician says that the key that was left was regenerated in the portal: the reminder ends. */
  keyRegenerated: method(byKey).returns<Organization>(),
  changed: event<{ readonly ids: readonly string[] }>(),
}
