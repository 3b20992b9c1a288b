import { Failed } from '../../../electron/contract/failure.ts'
import type {
  DocumentCacheSize,
  Telemetry,
  TelemetryEvent,
  VersionWatch,
} from '../../../electron/contract/api/metadata.ts'
import type { AllHandlers } from '../../../electron/contract/rpc-client.ts'
import { VENDOR } from './metadata-answers.ts'

const HOST = 'cdn.cloud.jabra.com'
const DAY = 86_400_000

const threshold = (name: string, minimum: number | null, maximum: number | null): TelemetryEvent => ({
  kind: 'threshold',
  name,
  minimum,
  maximum,
})
const counter = (
  name: string,
  ascending: boolean | null,
  warning: number | null,
  error: number | null,
): TelemetryEvent => ({
  kind: 'integer',
  name,
  ascending,
  warning,
  error,
})
const events: readonly TelemetryEvent[] = [
  threshold('backgroundNoiseLevel', null, 75),
  threshold('audioExposure', 0, 85),
  threshold('peopleCount', null, 12),
  counter('batteryLevel', false, 20, 10),
  counter('bluetoothLinkQuality', false, 40, 20),
  counter('dectErrors', true, 50, 200),
  counter('dectDensity', true, null, 80),
  { kind: 'boolean', name: 'microphonePositionOptimal', desired: true },
  { kind: 'boolean', name: 'roomCapacityExceeded', desired: false },
  { kind: 'boolean', name: 'microphoneStatusOK', desired: true },
  {
    kind: 'call-summary',
    name: 'averageBackgroundNoise',
    deviceEventType: 'backgroundNoiseLevel',
    method: 'Average',
  },
  { kind: 'call-summary', name: 'loudestExposure', deviceEventType: 'audioExposure', method: 'Max' },
  { kind: 'call-summary', name: 'timesMuted', deviceEventType: 'microphoneMuteState', method: 'CountTrue' },
  { kind: 'call-summary', name: 'crosstalk', deviceEventType: 'customerSpeaking', method: 'Median' },
]

/** Telemetry, recovery, version watch and document cache, as the core answers them. */
export function lookupAnswers(options: {
  readonly nowAt: number
  readonly offline: boolean
  readonly unpublished: boolean
}): Pick<AllHandlers, 'metadata'> {
  const observedAt = options.nowAt - (options.offline ? 26 * 3_600_000 : 4 * 60_000)
  const seen = { observedAt, fromCache: true }
  const telemetry: Telemetry = {
    ...seen,
    events,
    unreadable: { count: 0, records: [] },
    raw: { thresholdEvents: [{ name: 'backgroundNoiseLevel', defaultMinimum: 0, defaultMaximum: 75 }] },
  }
  const watch: VersionWatch = {
    inUse: 18,
    newer: 19,
    supportedUntilAt: options.nowAt + 172 * DAY,
    checkedAt: observedAt,
    openapiKeptAt: options.nowAt - 3 * DAY,
    differences: [
      { operation: 'GetFirmwareReleasesByProductId', what: 'the answer gains the member releaseChannel' },
    ],
  }
  let size: DocumentCacheSize = { documents: 412, bytes: 18_400_000 }

  return {
    metadata: {
      telemetry: async ({ refresh }) => {
        const call = { operation: 'GetTelemetry', host: HOST }
        if (options.unpublished) throw new Failed({ kind: 'not-found', call, what: 'telemetry definitions' })
        if (refresh && options.offline) throw new Failed({ kind: 'offline', call, message: 'ENOTFOUND' })
        return refresh ? { ...telemetry, observedAt: options.nowAt, fromCache: false } : telemetry
      },
      recovery: async ({ text }) => {
        const hex = /([0-9a-f]{4})\s*$/i.exec(text)?.[1]
        if (hex === undefined) throw new Failed({ kind: 'invalid', field: 'text', message: 'is no USB id' })
        const dfuProductId = parseInt(hex, 16)
        const unknown = options.unpublished || hex.toLowerCase() === 'ffff'
        const url = `https://firmware.${HOST}/${VENDOR}/9395/2.9.2/Jabra_Evolve2_65_2.9.2.zip?se=2026-12-01&sig=Zx81`
        return {
          ...seen,
          vendorId: VENDOR,
          dfuProductId,
          products: unknown
            ? []
            : [
                {
                  vendorId: VENDOR,
                  productId: 9395,
                  name: 'Jabra Evolve2 65 Mono',
                  groupName: 'Evolve2 65',
                  deviceType: 'Headset',
                  supportedProtocols: ['GNP'],
                  variants: [
                    { vendorId: VENDOR, productId: 9395, variantType: '01-64', name: 'MS' },
                    { vendorId: VENDOR, productId: 9395, variantType: '02-64', name: 'UC' },
                  ],
                  latestVersion: '2.9.2',
                  deviceCount: 431,
                },
              ],
          firmware: unknown
            ? null
            : {
                version: '2.9.2',
                latest: true,
                revoked: false,
                stage: 'Public',
                stageStated: true,
                releasedAt: options.nowAt - 20 * DAY,
                fileName: 'Jabra_Evolve2_65_2.9.2.zip',
                fileSize: 2_180_843,
                md5: '9b74c9897bac770ffc029102a200c5de',
                notesUrl: 'https://www.jabra.com/supportpages/jabra-evolve2-65/release-notes',
                raw: { version: '2.9.2' },
              },
          link: unknown ? null : { url, host: `firmware.${HOST}` },
          configurations: unknown
            ? []
            : [
                {
                  platformOs: 'Windows',
                  updater: 'csr-dfu',
                  dfuProductId,
                  blockSize: 1024,
                  timeoutSeconds: 90,
                },
                {
                  platformOs: 'MacOS',
                  updater: 'csr-dfu',
                  dfuProductId,
                  blockSize: 1024,
                  timeoutSeconds: 120,
                },
              ],
          raw: unknown ? null : { version: '2.9.2', vendorId: VENDOR, productId: 9395 },
          failed: [],
        }
      },
      versions: async () => watch,
      cacheSize: async () => size,
      clearCache: async () => (size = { documents: 0, bytes: 0 }),
    },
  }
}
