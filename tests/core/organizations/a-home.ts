import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openDatabases } from '../../../electron/adapters/database.ts'
import type { Databases, Demonstration } from '../../../electron/core/platform.ts'
import { openOrganizations, type Organizations } from '../../../electron/core/organizations/organizations.ts'
import type { OrganizationsPlatform } from '../../../electron/core/organizations/organizations-platform.ts'
import {
  openWorkbook,
  type Workbook,
  type WorkbookPlatform,
} from '../../../electron/core/storage/workbook.ts'
import type { KeySlot } from '../../../electron/contract/failure.ts'
import { assumedValues } from '../../../electron/contract/organization.ts'
import type { KeyState, OrganizationDraft } from '../../../electron/contract/api/organizations.ts'
import { observedTemplates } from '../../../electron/contract/template.ts'
import { FakeClock } from '../../fake-clock.ts'
import { memoryDatabases } from '../../memory-databases.ts'
import { MemoryKeychain, quickKeyHash } from '../../memory-keychain.ts'

const workerUrl = new URL('../../../electron/adapters/database-worker.ts', import.meta.url)

interface Line {
  readonly level: string
  readonly message: string
  readonly details: unknown
}

/** A home with everything that organizations need; the program in it can be started repeatedly. */
export interface Home {
  readonly clock: FakeClock
  readonly keychain: MemoryKeychain
  readonly log: readonly Line[]
  readonly platform: OrganizationsPlatform & WorkbookPlatform
  /**
   * Starts the program on the same home, with changes to its platform. `named`: the organization given on the
   * command line.
   */
  start(
    changed?: Partial<OrganizationsPlatform & WorkbookPlatform>,
    named?: string,
  ): Promise<{ readonly organizations: Organizations; readonly workbook: Workbook; stop(): Promise<void> }>
}

/** A home in memory, also on databases with data. */
export const aHome = (databases = memoryDatabases()): Home => homeOn(databases)

/** A home on files. */
export function aHomeFolder(): Home & { readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-home-'))
  const home = homeOn(openDatabases({ folder, workerUrl }), () =>
    rmSync(folder, { recursive: true, force: true }),
  )
  return { ...home, folder }
}

let ids = 0
function homeOn(databases: Databases, remove = (): void => undefined): Home {
  const clock = new FakeClock()
  const keychain = new MemoryKeychain()
  const log: Line[] = []
  const disposers: (() => Promise<void>)[] = []
  onTestFinished(async () => {
    for (const stop of disposers) await stop()
    remove()
  })
  const platform: Home['platform'] = {
    clock,
    keychain,
    databases,
    log: { write: (level, message, details) => void log.push({ level, message, details }) },
    newId: () => `id-${++ids}`,
    keyHash: quickKeyHash,
    demonstration: async () => aDemonstration,
    keyFromEnvironment: null,
  }
  return {
    clock,
    keychain,
    log,
    platform,
    async start(changed = {}, named) {
      const workbook = await openWorkbook({ ...platform, ...changed })
      const organizations = await openOrganizations({ ...platform, ...changed }, workbook, named ?? null)
      let running = true
      const stop = async (): Promise<void> => {
        if (!running) return
        running = false
        await organizations.close()
        await workbook.close()
      }
      disposers.push(stop)
      return { organizations, workbook, stop }
    },
  }
}

export const aDemonstration: Demonstration = {
  managementUrl: 'http://127.0.0.1:41001',
  metadataUrl: 'http://127.0.0.1:41002',
  key: 'demonstration-key-of-this-start',
}

/** The host of `aDraft`: keys entered for it are bound to this. */
export const here = 'https://management.example'

export const aDraft = (changed: Partial<OrganizationDraft> = {}): OrganizationDraft => ({
  name: 'Aarhus',
  preset: 'custom',
  managementUrl: here,
  metadataUrl: 'https://metadata.example',
  managementVersion: 2,
  metadataVersion: 18,
  family: 'Brand SDK V4',
  vendorId: 2830,
  definitionLimit: null,
  templates: observedTemplates,
  rebootBy: 'group-id',
  assumed: assumedValues,
  includeStages: [],
  ...changed,
})

export const primaryKey = '0123456789abcdef0123456789ab-one'
export const secondaryKey = 'fedcba9876543210fedcba987654-two'

export const noKey = {
  set: false,
  lastFour: null,
  keptIn: null,
  addedAt: null,
  lastUsedAt: null,
  lastRefusedAt: null,
  notBound: null,
}
export const keyOf = (
  organizations: Organizations,
  id: string,
  slot: KeySlot = 'primary',
): KeyState | undefined => organizations.get(id).keys.find((key) => key.slot === slot)
