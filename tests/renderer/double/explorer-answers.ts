import type {
  ExplorerAnswer,
  ExplorerCall,
  ExplorerOperation,
  ExplorerParameter,
} from '../../../electron/contract/api/explorer.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import { operations, type Operation, type OperationParameter } from '../../../electron/contract/operations.ts'
import type { AllHandlers } from '../../../electron/contract/rpc-client.ts'
import type { WriteReport } from '../../../electron/contract/api/writes.ts'
import { catalogue } from './fleet.ts'
import { VENDOR } from './metadata-answers.ts'

type Offered = ExplorerParameter['offered'][number]

const known = (...values: readonly (string | number)[]): readonly Offered[] =>
  values.map((value) => ({ value: String(value), source: 'known' }))
const assumed = (...values: readonly string[]): readonly Offered[] =>
  values.map((value) => ({ value, source: 'assumed' }))

const offered: Readonly<Record<string, readonly Offered[]>> = {
  apiVersion: known(18),
  vendorId: known(VENDOR),
  productId: known(...catalogue.map((entry) => entry.productId)),
  dfuProductId: known(9401, 9479),
  variantType: known('01-64', '02-64', '03-64'),
  firmwareVersion: known('2.9.2', '2.9.0', '2.8.1', '2.7.0'),
  schemaVersion: known('1.12.0', '1.11.0', '1.10.0'),
  definitionVersion: known('14.6.0', '14.5.0'),
  sdk: known('Jabra SDK V4'),
  buildType: [...known('Release'), ...assumed('Beta', 'Test')],
  platformOs: assumed('Windows', 'MacOS', 'Linux'),
  agentType: assumed('Direct', 'Xpress'),
  deviceClientType: [...known('MeetingRoom'), ...assumed('Personal')],
  DeviceClientType: [...known('MeetingRoom'), ...assumed('Personal')],
  pageSize: known(100),
  PageSize: known(100),
  groupId: known('grp-0001', 'grp-0002', 'grp-0003'),
}
const parameterOf = (parameter: OperationParameter): ExplorerParameter => ({
  ...parameter,
  offered: offered[parameter.name] ?? [],
})
const operationOf = (operation: Operation): ExplorerOperation => ({
  name: operation.name,
  interface: operation.interface,
  method: operation.method,
  path: operation.path,
  parameters: operation.parameters.map(parameterOf),
  writes: operation.writes,
  published: operation.published,
  answer: operation.answer,
})

const aDevice = (n: number): object => ({
  id: `0f3c${String(n).padStart(4, '0')}-7a11-4c1e-9d1b-2f6f0d9c1a44`,
  name: `Jabra PanaCast 50 · Aarhus ${n}`,
  serialNumber: `00A1D4F${7731 - n}`,
  productId: 12561,
  variantType: '01-1A',
  firmwareVersion: n % 4 ? '9.19.7' : '9.17.2',
  status: n % 5 ? 'Online' : 'Offline',
  lastSeen: '2026-11-21T13:58:04Z',
  meetingRoom: {
    name: `Aarhus ${n}`,
    groupId: `grp-${String(n).padStart(4, '0')}`,
    capacity: n % 3 ? 8 : null,
  },
})
const bodyOf = (operation: string): unknown => {
  if (operation === 'GetRoom')
    return {
      groupId: 'grp-0001',
      name: 'Aarhus 1',
      location: 'Denmark / Aarhus / Floor 2',
      devices: [aDevice(1), aDevice(2)],
    }
  if (operation === 'GetFirmwareReleasesByProductId')
    return ['2.9.2', '2.9.0', '2.8.1'].map((version, i) => ({
      version,
      stage: i ? null : 'Public',
      fileSize: 2_180_843 + i,
      isRevoked: i === 1,
    }))
  if (operation === 'GetFirmwareDownloadLinkByProduct')
    return { url: 'https://firmware.cdn.cloud.jabra.com/2830/9395/2.9.2/Jabra_Evolve2_65_2.9.2.zip?se=2026' }
  if (operation.startsWith('GetGnp'))
    return [{ version: '1.10.0' }, { version: '1.12.0' }, { version: '1.11.0' }]
  return {
    devices: Array.from({ length: 100 }, (_none, n) => aDevice(n + 1)),
    continuationToken: 'eyJvZmZzZXQiOjEwMH0=',
    total: 214,
  }
}

/** The Explorer: every documented operation, answered in the shapes the field has shown. `deny`: what a refusing service says. */
export function explorerAnswers(options: {
  readonly nowAt: number
  readonly offline: boolean
}): Pick<AllHandlers, 'explorer'> {
  let order = 40
  let examples: readonly ExplorerCall[] = [
    {
      id: 2,
      name: 'Online room devices',
      operation: 'ListDevices',
      parameters: { deviceClientType: 'MeetingRoom', pageSize: '100' },
      at: options.nowAt - 86_400_000,
      status: null,
    },
    {
      id: 1,
      name: 'Latest Evolve2 65 link',
      operation: 'GetFirmwareDownloadLinkByProduct',
      parameters: {
        apiVersion: '18',
        vendorId: '2830',
        productId: '9395',
        firmwareVersion: '2.9.2',
        buildType: 'Release',
      },
      at: options.nowAt - 9 * 86_400_000,
      status: null,
    },
  ]
  let history: readonly ExplorerCall[] = [
    {
      id: 12,
      name: '',
      operation: 'GetRoom',
      parameters: { groupId: 'grp-0001' },
      at: options.nowAt - 3 * 60_000,
      status: 200,
    },
    {
      id: 11,
      name: '',
      operation: 'GetRoom',
      parameters: { groupId: 'grp-9999' },
      at: options.nowAt - 4 * 60_000,
      status: 404,
    },
    {
      id: 10,
      name: '',
      operation: 'GetFirmwareReleasesByProductId',
      parameters: { apiVersion: '18', vendorId: '2830', productId: '9395' },
      at: options.nowAt - 50 * 60_000,
      status: 200,
    },
  ]
  const hostOf = (operation: Operation): string =>
    operation.interface === 'metadata' ? 'cdn.cloud.jabra.com' : 'api.cloud.jabra.com'

  return {
    explorer: {
      operations: async () => operations.map(operationOf),
      run: async ({ operation: name, parameters, unlock }) => {
        const operation: Operation | undefined = operations.find((one) => one.name === name)
        if (operation === undefined || operation.path === null)
          throw new Failed({ kind: 'not-found', call: null, what: name })
        if (operation.writes && !unlock) throw new Failed({ kind: 'writes-locked' })
        if (options.offline)
          throw new Failed({
            kind: 'offline',
            call: { operation: name, host: hostOf(operation) },
            message: 'ENOTFOUND',
          })
        const path = operation.path.replace(/\{(\w+)\}/g, (_all, parameter: string) =>
          encodeURIComponent(parameters[parameter] ?? ''),
        )
        const url = `https://${hostOf(operation)}${path}${operation.interface === 'metadata' ? '.json' : ''}`
        const missing = Object.values(parameters).some((value) => value.includes('9999'))
        const sent = Object.fromEntries(
          operation.parameters
            .filter((one) => one.in === 'body' && parameters[one.name])
            .map((one) => [one.name, parameters[one.name]]),
        )
        const requestBody = Object.keys(sent).length ? JSON.stringify(sent) : null
        const report: WriteReport | null = operation.writes
          ? { outcome: 'accepted', failure: null, earliestAt: null, journalId: 7 }
          : null
        const status = missing ? 404 : 200
        const answer: ExplorerAnswer = {
          operation: name,
          method: operation.method,
          url,
          requestBody,
          status,
          headers: {
            'content-type': 'application/json; charset=utf-8',
            date: 'Sat, 21 Nov 2026 13:58:04 GMT',
            'request-context': 'appId=cid-v1:5d2f',
            'transfer-encoding': 'chunked',
          },
          body: missing
            ? '{ "statusCode": 404, "message": "Resource not found" }'
            : operation.writes
              ? ''
              : JSON.stringify(bodyOf(name)),
          cut: false,
          startedAt: options.nowAt,
          durationInMs: 214,
          report,
          failure: missing
            ? {
                kind: 'not-found',
                call: { operation: name, host: hostOf(operation) },
                what: 'what was asked for',
              }
            : null,
          unknownMembers: name === 'GetGnpSchemaVersions' ? ['[0].releasedAt', '[1].releasedAt'] : [],
          missingMembers: [],
          curl: `curl --request ${operation.method} '${url}' --header "Ocp-Apim-Subscription-Key: $HEADROOM_KEY"`,
          powershell: `Invoke-RestMethod -Method ${operation.method} -Uri '${url}' -Headers @{ 'Ocp-Apim-Subscription-Key' = $env:HEADROOM_KEY }`,
        }
        history = [
          { id: ++order, name: '', operation: name, parameters, at: options.nowAt, status },
          ...history,
        ]
        return answer
      },
      examples: async () => examples,
      saveExample: async ({ name, operation, parameters }) =>
        (examples = [
          { id: ++order, name, operation, parameters, at: options.nowAt, status: null },
          ...examples,
        ]),
      removeExample: async ({ id }) => (examples = examples.filter((example) => example.id !== id)),
      history: async () => history,
    },
  }
}
