import type { AllHandlers } from '../../../electron/contract/rpc-client.ts'

type Metadata = Pick<AllHandlers, 'firmware' | 'definitions' | 'releaseNotes' | 'metadata'>

/** The same answers where the service says what few readers expect: prereleases, a document above the ceiling, records without what names them. */
export function oddAnswers({ firmware, definitions, releaseNotes, metadata }: Metadata): Metadata {
  const unread = (...records: { readonly [name: string]: string }[]) => ({ count: records.length, records })
  return {
    firmware: {
      ...firmware,
      products: async (query) => ({
        ...(await firmware.products(query)),
        unreadable: unread({ productName: 'No ids' }),
      }),
      releases: async (query) => {
        const list = await firmware.releases(query)
        const [first, second, ...others] = list.releases
        if (first === undefined || second === undefined) return list
        const staged = [
          { ...first, latest: false, stage: 'Candidate', stageStated: true },
          { ...second, latest: true, revoked: false, stage: null, stageStated: false },
        ]
        return {
          ...list,
          releases: [...staged, ...others],
          unreadable: unread({ fileName: 'no-version.zip' }),
        }
      },
      link: async (query) => {
        const record = { downloadUrl: 'http://firmware.example.com/a.zip', note: 'internal' }
        return {
          ...(await firmware.link(query)),
          url: null,
          host: null,
          refused: record.downloadUrl,
          raw: record,
        }
      },
    },
    definitions: {
      ...definitions,
      inUse: async (query) => ({ ...(await definitions.inUse(query)), schemasListed: false }),
      read: async (query) => {
        const read = await definitions.read(query)
        const above = {
          definitionVersion: '14.6.0',
          schemaVersion: '1.12.0',
          stage: 'Candidate',
          properties: { future: {} },
        }
        const [first] = read.properties
        return {
          ...read,
          stage: null,
          properties:
            first === undefined
              ? []
              : [first, { ...first, name: 'odd', understood: false, type: null, raw: 'as it came' }],
          featureModel: null,
          documents: read.documents.flatMap((one) =>
            one.document === 'feature-model'
              ? []
              : [one.document === 'properties' ? { ...one, ...above, aboveCeiling: true, raw: above } : one],
          ),
          failed: [
            {
              document: 'feature-model',
              failure: {
                kind: 'service-unavailable',
                call: { operation: 'GetFeatureModelByProductVariant', host: 'cdn.example.com' },
                status: 500,
                message: null,
              },
            },
          ],
        }
      },
    },
    releaseNotes: {
      get: async (product) => {
        const notes = await releaseNotes.get(product)
        const links = notes.record?.links.map((link) =>
          link.kind === 'support' ? { ...link, url: 'http://www.jabra.com/support', offered: false } : link,
        )
        return notes.record === null ? notes : { ...notes, record: { ...notes.record, links: links ?? [] } }
      },
    },
    metadata: {
      ...metadata,
      telemetry: async (query) => {
        const read = await metadata.telemetry(query)
        return {
          ...read,
          events: [{ kind: 'boolean', name: null, desired: true }, ...read.events],
          unreadable: unread({ unnamed: 'section' }),
        }
      },
    },
  }
}
