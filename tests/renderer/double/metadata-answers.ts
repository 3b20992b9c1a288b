import type {
  DefinitionDocumentName,
  DefinitionInUse,
  FleetFirmware,
  PropertyDefinition,
} from '../../../electron/contract/api/definitions.ts'
import type { Device } from '../../../electron/contract/api/devices.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import type { FirmwareRelease, Product } from '../../../electron/contract/api/firmware.ts'
import type { JsonObject } from '../../../electron/contract/json.ts'
import type { AllHandlers } from '../../../electron/contract/rpc-client.ts'
import { catalogue, type CatalogueEntry } from './fleet.ts'

export const VENDOR = 2830
const DAY = 86_400_000
const HOST = 'cdn.cloud.jabra.com'

const slug = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-')

/** Interface A and the product content, as the core answers them. */
export function metadataAnswers(
  options: { readonly nowAt: number; readonly offline: boolean; readonly unpublished: boolean },
  devices: readonly Device[],
): Pick<AllHandlers, 'firmware' | 'releaseNotes' | 'definitions'> {
  const observedAt = options.nowAt - (options.offline ? 26 * 3_600_000 : 4 * 60_000)
  const seen = { observedAt, fromCache: true }
  const owned = new Map<number, number>()
  for (const device of devices)
    if (device.productId !== null && !device.gone)
      owned.set(device.productId, (owned.get(device.productId) ?? 0) + 1)

  const productOf = (entry: CatalogueEntry): Product => ({
    vendorId: VENDOR,
    productId: entry.productId,
    name: entry.name,
    groupName: entry.group,
    deviceType: entry.room ? 'Room' : 'Headset',
    supportedProtocols: ['GNP'],
    variants: [1, 2, 3].map((n) => ({
      vendorId: VENDOR,
      productId: entry.productId,
      variantType: `0${n}-64`,
      name: n === 1 ? 'MS' : n === 2 ? 'UC' : null,
    })),
    latestVersion: entry.versions[0] ?? null,
    deviceCount: owned.get(entry.productId) ?? 0,
  })
  const entryOf = (productId: number): CatalogueEntry => {
    const entry = catalogue.find((c) => c.productId === productId)
    if (!entry || options.unpublished)
      throw new Failed({
        kind: 'not-found',
        call: { operation: 'GetFirmwareReleasesByProductId', host: HOST },
        what: `product ${productId}`,
      })
    return entry
  }
  const matches = (entry: CatalogueEntry, text: string): boolean => {
    const wanted = text.toLowerCase().trim()
    const hex = /(?:pid_|0x)?([0-9a-f]{4})$/.exec(wanted)?.[1]
    return (
      !wanted ||
      entry.name.toLowerCase().includes(wanted) ||
      String(entry.productId) === wanted ||
      (hex !== undefined && parseInt(hex, 16) === entry.productId)
    )
  }
  const releasesOf = (entry: CatalogueEntry): FirmwareRelease[] =>
    entry.versions.map((version, i) => ({
      version,
      latest: i === 0,
      revoked: entry.versions.length > 3 && i === 1,
      stage: i === 0 ? 'Public' : null,
      stageStated: i === 0,
      releasedAt: options.nowAt - (20 + i * 74) * DAY,
      fileName: `${entry.name.replaceAll(' ', '_')}_${version}.zip`,
      fileSize: 2_180_843 + i * 131_072,
      md5: i === 2 ? null : '9b74c9897bac770ffc029102a200c5de',
      notesUrl: i === 0 ? `https://www.jabra.com/supportpages/${slug(entry.name)}/release-notes` : null,
      raw: { version, fileSize: 2_180_843, stage: 'Public' },
    }))

  const inUse: DefinitionInUse = {
    ...seen,
    schemaVersion: '1.12.0',
    schemasListed: true,
    passedOver: [],
    statedSchemaVersion: '1.12.0',
    latest: '14.6.0',
    ceiling: '14.5.0',
    schemaInUse: '1.11.0',
    inUse: '14.5.0',
    reason: 'held-at-package',
    stage: 'Public',
  }
  const properties: readonly PropertyDefinition[] = Array.from({ length: 180 }, (_none, i) => ({
    name:
      [
        'sidetoneLevel',
        'busylightEnabled',
        'ringtone',
        'voicePrompts',
        'fieldOfView',
        'videoStiching',
        'autoAnswer',
      ][i % 7] + (i < 7 ? '' : String(i)),
    understood: true,
    type: ['integer', 'boolean', 'string', 'string', 'string', 'object', null][i % 7] ?? null,
    allowed:
      i % 7 === 3
        ? ['voice', 'tones', 'off']
        : i % 7 === 4
          ? ['_90deg', '_120deg', '_140deg', '_180deg']
          : [],
    minimum: i % 7 === 0 ? 0 : null,
    maximum: i % 7 === 0 ? 10 : null,
    minLength: null,
    maxLength: i % 7 === 2 ? 32 : null,
    read: i % 7 !== 6,
    write: i % 7 !== 5 && i % 7 !== 6,
    event: i % 3 === 0,
    execute: i % 7 === 6,
    restarts: i % 7 === 4 ? true : i % 7 === 1 ? false : null,
    raw: { type: 'string' },
  }))

  const none = { count: 0, records: [] }
  const fleetOf = (productId: number): readonly FleetFirmware[] => {
    const found = new Map<string, FleetFirmware>()
    for (const { gone, variantType, firmwareVersion, ...device } of devices) {
      if (gone || device.productId !== productId || variantType === null || firmwareVersion === null) continue
      const key = `${variantType} ${firmwareVersion}`
      found.set(key, { variantType, firmwareVersion, count: (found.get(key)?.count ?? 0) + 1 })
    }
    return [...found.values()].sort((a, b) => b.count - a.count)
  }
  const documents: Readonly<Record<DefinitionDocumentName, JsonObject>> = {
    properties: {
      definitionVersion: '14.5.0',
      schemaVersion: '1.11.0',
      stage: 'Public',
      properties: { sidetoneLevel: { valueType: { type: 'integer' } } },
    },
    'device-model': { device: { settings: [{ id: 'SIDETONE' }] } },
    'feature-model': { settings: { listSettings: [] } },
  }
  const label = { definitionVersion: null, schemaVersion: null, stage: null }

  return {
    firmware: {
      products: async ({ text, owned: onlyOwned, start, count }) => {
        const rows = catalogue
          .filter((entry) => matches(entry, text) && (!onlyOwned || owned.has(entry.productId)))
          .map(productOf)
        return { ...seen, rows: rows.slice(start, start + count), total: rows.length, unreadable: none }
      },
      releases: async ({ productId }) => {
        const entry = entryOf(productId)
        return {
          ...seen,
          product: productOf(entry),
          releases: releasesOf(entry),
          noLatest: null,
          unreadable: none,
        }
      },
      buildTypes: async () => [
        { name: 'Release', source: 'seen' },
        { name: 'Beta', source: 'assumed' },
        { name: 'Test', source: 'assumed' },
      ],
      link: async ({ productId, version, buildType: chosen, refresh }) => {
        const entry = entryOf(productId)
        const buildType = chosen ?? 'Release'
        const call = { operation: 'GetFirmwareDownloadLinkByProduct', host: HOST }
        if (buildType !== 'Release')
          throw new Failed({ kind: 'not-found', call, what: `${version} (${buildType})` })
        if (refresh && options.offline) throw new Failed({ kind: 'offline', call, message: 'ENOTFOUND' })
        const url = `https://firmware.${HOST}/${VENDOR}/${productId}/${version}/${entry.name.replaceAll(' ', '_')}_${version}.zip?se=2026-12-01&sig=Zx81`
        const facts = {
          refused: null,
          expiresAt: Date.UTC(2026, 11, 1),
          bytes: 2_180_843,
          md5: '9b74c9897bac770ffc029102a200c5de',
          raw: { url },
        }
        return {
          version,
          buildType,
          url,
          host: `firmware.${HOST}`,
          ...facts,
          observedAt: refresh ? Date.now() : observedAt,
          fromCache: !refresh,
        }
      },
      standing: async ({ deviceId }) => {
        const device = devices.find((d) => d.id === deviceId)
        const entry = catalogue.find((c) => c.productId === device?.productId)
        if (!device || !entry) return { kind: 'unknown', why: 'no-product' }
        if (options.unpublished) return { kind: 'unknown', why: 'not-published' }
        const latest = entry.versions[0] as string
        const by = entry.versions.indexOf(device.firmwareVersion ?? '')
        if (by > 0 && entry.versions.length > 3 && by === 1) return { kind: 'revoked', latest }
        return by === 0
          ? { kind: 'current', latest }
          : by > 0
            ? { kind: 'behind', latest, by }
            : { kind: 'unknown', why: 'not-a-version' }
      },
    },
    releaseNotes: {
      get: async ({ productId }) => {
        const entry = catalogue.find((c) => c.productId === productId)
        if (!entry || options.unpublished) return { ...seen, record: null }
        const page = `https://www.jabra.com/supportpages/${slug(entry.name)}`
        return {
          ...seen,
          record: {
            title: entry.name,
            links: [
              {
                kind: 'release-notes',
                label: 'Firmware release notes',
                url: `${page}/release-notes`,
                host: 'www.jabra.com',
                offered: true,
              },
              { kind: 'support', label: 'Support page', url: page, host: 'www.jabra.com', offered: true },
              {
                kind: 'other',
                label: 'Product page',
                url: `https://www.jabra.com/business/${slug(entry.name)}`,
                host: 'www.jabra.com',
                offered: true,
              },
            ],
            images: [`https://${HOST}/content/images/${entry.productId}.png`],
            raw: { productName: entry.name, supportUrl: page, releaseNotes: `${page}/release-notes` },
          },
        }
      },
    },
    definitions: {
      inUse: async ({ refresh }) => {
        if (refresh && options.offline)
          throw new Failed({
            kind: 'offline',
            call: { operation: 'GetGnpSchemaVersions', host: HOST },
            message: 'ENOTFOUND',
          })
        return refresh ? { ...inUse, observedAt: Date.now(), fromCache: false } : inUse
      },
      defaults: async ({ productId, variantType }) => {
        const fleet = fleetOf(productId)
        const most = fleet.find((one) => variantType === null || one.variantType === variantType)
        const entry = options.unpublished ? undefined : catalogue.find((one) => one.productId === productId)
        return {
          variantType: variantType ?? most?.variantType ?? (entry === undefined ? null : '01-64'),
          firmwareVersion: most?.firmwareVersion ?? entry?.versions[0] ?? null,
          fleet,
        }
      },
      read: async (query) => ({
        ...seen,
        query,
        inUse,
        properties: options.unpublished ? [] : properties,
        propertiesNotPublished: options.unpublished,
        stage: options.unpublished ? null : 'Public',
        documents: options.unpublished
          ? []
          : [
              {
                ...seen,
                document: 'properties',
                definitionVersion: '14.5.0',
                schemaVersion: '1.11.0',
                stage: 'Public',
                aboveCeiling: false,
                raw: documents.properties,
              },
              {
                ...seen,
                document: 'device-model',
                ...label,
                aboveCeiling: false,
                raw: documents['device-model'],
              },
              {
                ...seen,
                document: 'feature-model',
                ...label,
                aboveCeiling: false,
                raw: documents['feature-model'],
              },
            ],
        failed: [],
        deviceModel: options.unpublished
          ? null
          : {
              settings: properties.slice(0, 40).map((p) => ({
                id: p.name.toUpperCase(),
                type: p.type,
                properties: [p.name],
                possibleValues: p.allowed,
                access: p.write ? 'ReadWrite' : 'Read',
                restarts: p.restarts,
                group: 'Audio',
              })),
              raw: documents['device-model'],
            },
        featureModel: options.unpublished
          ? null
          : {
              settings: properties.slice(0, 20).map((p) => ({
                id: p.name.toUpperCase(),
                name: p.name,
                kind: p.minimum === null ? 'choice' : 'number',
                supported: p.allowed,
                minimum: p.minimum,
                maximum: p.maximum,
                restarts: p.restarts,
              })),
              raw: documents['feature-model'],
            },
      }),
    },
  }
}
