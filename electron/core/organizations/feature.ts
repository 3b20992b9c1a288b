import { orNull, type KeySlot } from '../../contract/failure.ts'
import { feature, type Client } from '../feature.ts'
import type { SessionClients } from '../session-clients.ts'
import type { SessionBase } from '../session.ts'
import type { SharedBase, SharedDeps } from '../core-features.ts'
import type { Workbook } from '../storage/workbook.ts'
import { openOrganizations, organizationHandlers } from './organizations.ts'

export const organizationsFeature = feature({
  async open(
    needs: Pick<SharedBase, 'platform' | 'policy' | 'emit' | 'named'> & { readonly workbook: Workbook },
  ) {
    const { platform, policy, emit, named, workbook } = needs
    const organizations = await openOrganizations(platform, workbook, named, policy)
    // A file that cannot be written reports its own problem.
    if (policy.state().state === 'applied')
      await orNull(organizations.addGiven(policy.settings().organizations ?? []))
    const stopListening = organizations.onChange((ids) => {
      emit('organizations.changed', { ids })
      emit('app.changed', { what: 'status' })
    })
    return {
      gives: { organizations },
      onRowsChanged: null,
      close: async () => {
        stopListening()
        await organizations.close()
      },
    }
  },
  handlers: null,
})

/** The check of an organization's keys. */
export const keysFeature = feature({
  open({ shared, organization, clients }: SessionBase & { readonly clients: SessionClients }) {
    const keyWorks = async (slot: KeySlot): Promise<void> => {
      const keys = shared.organizations.slotRing(organization.id, slot)
      // A published value of deviceClientType (services.md#B34); the check is one call with page size 1.
      await clients.managementOver(clients.management(keys)).devicePage({
        stream: 'MeetingRoom',
        token: null,
        pageSize: 1,
        lane: 'interactive',
        signal: null,
      })
    }
    return {
      /** One call with the key of only one slot. Rejects with Failed if it does not work. */
      gives: { keyWorks },
      onRowsChanged: null,
      close: null,
    }
  },
  handlers: ({
    shared,
    sessions,
    current,
    tasks,
    downloads,
  }: Client<SharedDeps, { readonly keyWorks: (slot: KeySlot) => Promise<void> }>) => ({
    organizations: organizationHandlers(shared.organizations, {
      current,
      keyWorks: async (organization, slot) => (await sessions.of(organization)).keyWorks(slot),
      reconcile: sessions.reconcile,
      forget: (id) =>
        tasks.run('removal', async (task) => {
          await downloads.forget(id)
          await sessions.forget(id, task)
        }),
    }),
  }),
})
