import { observedTemplates } from '../../../electron/contract/template.ts'
import type { WriteReport } from '../../../electron/contract/api/writes.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import { openDocumentCache } from '../../../electron/core/metadata/document-cache.ts'
import { openCallBudget } from '../../../electron/core/call-budget/call-budget.ts'
import { openExplorer, type Explorer } from '../../../electron/core/explorer/explorer.ts'
import type { StoredCalls } from '../../../electron/core/explorer/call-rows.ts'
import type { WireResponse, WireFault, WireRequest } from '../../../electron/core/platform.ts'
import {
  openManagementClient,
  openMetadataClient,
} from '../../../electron/core/service-client/service-client.ts'
import type { PlannedWrite, Writes } from '../../../electron/core/writes/writes.ts'
import type { ExplorerCall } from '../../../electron/contract/api/explorer.ts'
import { FakeClock } from '../../fake-clock.ts'
import { DocumentTable } from '../metadata/document-table.ts'
import { FakeTransport } from '../../fake-transport.ts'
import { TwoKeys } from '../service-client/a-request.ts'
import { KnownKeys } from '../../../electron/core/organizations/known-keys.ts'

export const keys = ['key-of-the-first-slot', 'key-of-the-second-slot']
const scrub = (text: string): string =>
  keys.reduce((clean, key) => clean.replaceAll(key, '[subscription key]'), text)

/** Writes that are unlocked on request, and that execute at once. */
class FakeWrites implements Pick<Writes, 'mustBeOpen' | 'execute'> {
  readonly executed: PlannedWrite[] = []
  async execute(write: PlannedWrite): Promise<WriteReport> {
    await this.mustBeOpen(write.unlock)
    this.executed.push(write)
    try {
      await write.send(null, async () => undefined)
      return { outcome: 'accepted', failure: null, earliestAt: null, journalId: 1 }
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      return {
        outcome: error.failure.kind === 'unconfirmed' ? 'unconfirmed' : 'refused',
        failure: error.failure,
        earliestAt: null,
        journalId: 1,
      }
    }
  }
  async mustBeOpen(unlock: boolean): Promise<void> {
    if (!unlock) throw new Failed({ kind: 'writes-locked' })
  }
}

/** Calls that were stored, in a list instead of a workbook. */
class ListedCalls implements StoredCalls {
  calls: ExplorerCall[] = []
  stored: ExplorerCall[] = []
  async history() {
    return this.calls
  }
  async note(call: Omit<ExplorerCall, 'id' | 'name'>) {
    this.calls.unshift({ ...call, id: this.calls.length + 1, name: '' })
  }
  async examples() {
    return this.stored
  }
  async saveExample(call: Omit<ExplorerCall, 'id' | 'status'>) {
    this.stored.push({ ...call, id: this.stored.length + 1, status: null })
  }
  async removeExample(id: number) {
    this.stored = this.stored.filter((one) => one.id !== id)
  }
}

export interface ExplorerRig {
  readonly clock: FakeClock
  readonly transport: FakeTransport
  readonly writes: FakeWrites
  readonly explorer: Explorer
  /** Devices whose cached settings were cleared. */
  readonly forgotten: readonly string[]
}

/** An Explorer over a scripted transport. */
export async function explorerRig(
  script: (request: WireRequest, index: number) => WireResponse | WireFault,
): Promise<ExplorerRig> {
  const clock = new FakeClock()
  const transport = new FakeTransport(script)
  const budget = await openCallBudget({ clock, random: () => 0, history: null })
  const common = { transport, clock, random: () => 0 }
  const writes = new FakeWrites()
  const forgotten: string[] = []
  const baseUrls = { metadata: 'https://cdn.example', management: 'https://api.example' }
  const documents = openDocumentCache({
    database: new DocumentTable(),
    clock,
    log: { write: () => undefined },
  })
  const explorer = openExplorer({
    clock,
    clients: {
      metadata: openMetadataClient({ ...common, baseUrl: baseUrls.metadata, scrubber: new KnownKeys() }),
      management: (apiVersion) =>
        openManagementClient({
          ...common,
          budget,
          baseUrl: baseUrls.management,
          apiVersion,
          keys: new TwoKeys(),
        }),
    },
    baseUrls,
    profile: {
      metadataVersion: 18,
      managementVersion: 2,
      family: 'Brand SDK V4',
      templates: observedTemplates,
    },
    writes: {
      ...({} as Writes),
      mustBeOpen: (unlock) => writes.mustBeOpen(unlock),
      execute: (write) => writes.execute(write),
    },
    room: async (groupId) => ({
      target: { of: 'room', id: `room of ${groupId}`, name: 'Aarhus 3' },
      deviceIds: ['D1', 'D2'],
    }),
    deviceName: async (deviceId) => (deviceId === 'D 1' ? 'PanaCast 50 Aarhus' : null),
    forgetSettings: async (deviceId) => void forgotten.push(deviceId),
    storedCalls: new ListedCalls(),
    documents,
    offered: async () => () => [],
    described: async () => [],
    scrub,
    keyScrubber: async () => scrub,
  })
  return { clock, transport, writes, explorer, forgotten }
}
