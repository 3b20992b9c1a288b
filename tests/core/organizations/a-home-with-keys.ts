import type { OrganizationDraft } from '../../../electron/contract/api/organizations.ts'
import type { KeySlot } from '../../../electron/contract/failure.ts'
import { openCallBudget } from '../../../electron/core/call-budget/call-budget.ts'
import { entryOf } from '../../../electron/core/organizations/key-entry.ts'
import type { Organizations } from '../../../electron/core/organizations/organizations.ts'
import { openManagementClient } from '../../../electron/core/service-client/service-client.ts'
import type { Workbook } from '../../../electron/core/storage/workbook.ts'
import { memoryDatabases } from '../../memory-databases.ts'
import { FakeClock } from '../../fake-clock.ts'
import { answer, FakeTransport } from '../../fake-transport.ts'
import { aRead } from '../service-client/a-request.ts'
import { aDraft, aHome, primaryKey, secondaryKey } from './a-home.ts'
import { failureOf } from '../../failure-of.ts'

export const elsewhere = 'https://elsewhere.example'
export const slots: readonly KeySlot[] = ['primary', 'secondary']
export const keys: Readonly<Record<KeySlot, string>> = { primary: primaryKey, secondary: secondaryKey }

/**
 * An organization with a key in each slot, in a restarted program; `boundElsewhere`: slots whose key is bound
 * to another host; `editedTo`: the address that was written into the file meanwhile.
 */
export async function aHomeWithKeys(
  boundElsewhere: readonly KeySlot[] = [],
  draft = aDraft(),
  editedTo: string | null = null,
) {
  const name = JSON.stringify([draft, editedTo])
  const made = homes.get(name) ?? makeHome(draft, editedTo)
  homes.set(name, made)
  const { databases, entries, id } = await made
  const home = aHome(memoryDatabases(databases))
  for (const [account, secret] of entries) home.keychain.entries.set(account, secret)
  for (const slot of boundElsewhere)
    home.keychain.entries.set(`${id}:${slot}`, entryOf(keys[slot], elsewhere))
  return { home, id, ...(await home.start()) }
}

/** Made once per process for each draft and address: a key takes long to store. */
const homes = new Map<string, ReturnType<typeof makeHome>>()
async function makeHome(draft: OrganizationDraft, editedTo: string | null) {
  const databases = memoryDatabases()
  const { keychain, start } = aHome(databases)
  const { organizations, workbook, stop } = await start()
  const { id } = await organizations.add(draft)
  for (const slot of slots) await organizations.setKey({ id, slot, key: keys[slot] })
  if (editedTo !== null) await editAddress(workbook, id, editedTo)
  const images = databases.image()
  await stop()
  return { databases: images, entries: [...keychain.entries], id }
}

/** Changes the file, as a restore or a person might; it applies from the next start. */
export const editAddress = (workbook: Workbook, id: string, url: string): Promise<unknown> =>
  workbook.write((transaction) =>
    transaction.run('UPDATE organization SET management_url = ? WHERE id = ?', [url, id]),
  )

/** A call of the real client to the address in the workbook; returns the keys that were sent, by host, and the failure. */
export async function calling(
  organizations: Organizations,
  id: string,
  { ring = organizations.keyRing(id), path = '/devices/api/devices', accepts = Object.values(keys) } = {},
) {
  const sent: [string, string | undefined][] = []
  const transport = new FakeTransport(({ url, headers }) => {
    const key = headers['Ocp-Apim-Subscription-Key']
    sent.push([new URL(url).host, key])
    return accepts.includes(key ?? '')
      ? answer(200, { items: [] })
      : answer(401, { message: 'Access denied' })
  })
  const clock = new FakeClock()
  const client = openManagementClient({
    transport,
    budget: await openCallBudget({ clock, random: () => 0, history: null }),
    clock,
    random: () => 0,
    baseUrl: (await organizations.addresses(id)).managementUrl,
    apiVersion: 2,
    keys: ring,
  })
  return { failure: await failureOf(() => client.send(aRead({ path }))), sent }
}
