import { accountOf } from '../../../electron/core/organizations/key-store.ts'
import { acceptedKeys, settle, type TestCore } from '../core.ts'

export async function currentId(core: TestCore): Promise<string> {
  const { organizationId } = await core.handlers.app.status()
  return organizationId!
}

/** Fjordbank, which has no key, beside the organization in use. Returns its id. */
export async function addFjordbank(core: TestCore): Promise<string> {
  const { organizations } = core.handlers
  const previous = await currentId(core)
  const { presets } = await organizations.list()
  const { draft } = presets.find(({ name }) => name === 'custom')!
  const { id } = await organizations.add({
    ...draft,
    name: 'Fjordbank',
    managementUrl: 'https://devices.fjordbank.example',
    metadataUrl: 'https://models.fjordbank.example',
  })
  await organizations.use({ id: previous })
  return id
}

/** After it was added. Events are throttled. */
export async function showFjordbank({ handlers: { organizations }, advance }: TestCore): Promise<void> {
  const all = (await organizations.list()).organizations
  await organizations.use({ id: all.find(({ name }) => name === 'Fjordbank')!.id })
  await advance(1_000)
  await settle()
}

export async function addDemonstration({ handlers: { organizations } }: TestCore): Promise<void> {
  const { presets } = await organizations.list()
  await organizations.add(presets.find(({ name }) => name === 'demonstration')!.draft)
}

export async function addSecondaryKey(core: TestCore, key: string = acceptedKeys.secondary): Promise<void> {
  await core.handlers.organizations.setKey({ id: await currentId(core), slot: 'secondary', key })
}

/** Sets the keychain entry of the primary key. */
export async function putInKeychain(core: TestCore, entry: string): Promise<void> {
  core.platform.keychain.entries.set(accountOf(await currentId(core), 'primary'), entry)
}

/** Runs a sync, which reads the key and gets the service's response for it. */
export const learnOfKeys = (core: TestCore): Promise<unknown> =>
  core.finish(core.handlers.sync.run().catch(() => undefined))

/** The primary key is refused, which a sync has noticed. */
export async function refusePrimaryKey(core: TestCore): Promise<void> {
  core.service.faults.set({ name: 'refuse-primary-key', rate: 1, times: null, operation: null })
  await learnOfKeys(core)
}
