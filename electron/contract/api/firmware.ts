import { z } from 'zod'
import { count, free, id, nothing, product, stages, start, version } from '../argument-parts.ts'
import type {
  BuildType,
  FirmwareLink,
  FirmwareStanding,
  ProductPage,
  ReleaseList,
  ReleaseNotes,
} from '../firmware.ts'
import { method } from '../method.ts'

const releases = product.extend({ includeStages: stages.exactOptional() })

export const firmware = {
  products: method(z.strictObject({ text: free, owned: z.boolean(), start, count })).returns<ProductPage>(),
  releases: method(releases).returns<ReleaseList>(),
  buildTypes: method(nothing).returns<readonly BuildType[]>(),
  link: method(
    releases.extend({ version, buildType: version.nullable(), refresh: z.boolean() }),
  ).returns<FirmwareLink>(),
  standing: method(z.strictObject({ deviceId: id })).returns<FirmwareStanding>(),
}

export const releaseNotes = {
  get: method(product).returns<ReleaseNotes>(),
}
