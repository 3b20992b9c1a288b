import { mount } from '@vue/test-utils'
import { describe, expect, it, onTestFinished } from 'vitest'
import { useLayoutStore } from '../../../renderer/layout/layout-store.ts'
import { useJobs } from '../../../renderer/jobs/jobs-store.ts'
import JobStrip from '../../../renderer/jobs/JobStrip.vue'
import { messages } from '../../../renderer/components/toasts.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { addFjordbank, currentId } from '../organizations/bring-organizations.ts'
import { settle, type TestCore } from '../core.ts'
import { openPage, textIn, type OpenedPage } from '../page.ts'

const hour = 3_600_000

/** Reboots a room of Nordlys in three hours, or now; then Fjordbank is on screen. */
const rebooting =
  (inMs: number | null, then: (core: TestCore) => unknown = () => undefined) =>
  async (core: TestCore): Promise<void> => {
    const { handlers, finish, clock } = core
    const { rows } = await handlers.rooms.list({ where: 'health:ok', sort: [], start: 0, count: 1 })
    const startAt = inMs === null ? null : clock.now() + inMs
    const selection = { kind: 'picked', ids: [rows[0]!.id] } as const
    const plan = await finish(
      handlers.jobs.plan({
        work: { kind: 'reboot-rooms', of: 'rooms', selection },
        startAt,
        window: null,
        keepTrying: false,
        canary: false,
      }),
    )
    await handlers.jobs.start({ plan: plan.id, unlock: true, typed: plan.typeNumber })
    await then(core)
    await handlers.organizations.use({ id: await addFjordbank(core) })
  }
const lock = ({ handlers }: TestCore): unknown => handlers.writes.lockNow()

async function opened(prepare: (core: TestCore) => unknown): Promise<OpenedPage & { strip: () => string }> {
  const page = await openPage('/jobs', {}, prepare)
  const stop = useJobs().follow((id) => page.router.push({ name: 'jobs', params: { id } }))
  onTestFinished(stop)
  await settle()
  const strip = mount(JobStrip, { global: { plugins: [i18n, page.router] } })
  return { ...page, strip: () => textIn(strip.element) }
}
const said = (): readonly string[] => messages.value.map(({ kind, text }) => `${kind} ${text}`)

describe('a job of an organization that is not on screen', () => {
  it('is counted and named in the status bar and on the page, which opens its organization', async () => {
    const { core, words, button, strip, router } = await opened(rebooting(3 * hour))
    const [job] = useJobs().everywhere
    const { name } = job!.target!
    expect([useJobs().everywhere.length, useJobs().open]).toEqual([1, []])
    expect(strip()).toContain(`Nordlys A/S: Reboot ${name}`)
    expect(words()).toContain('1 in another organization')
    expect(words()).toContain(`Nordlys A/S: Reboot ${name} Waiting 19 Nov 2026 12:30`)
    expect(said()).toEqual([])
    await button('Open Nordlys A/S').trigger('click')
    await settle()
    expect([await currentId(core), router.currentRoute.value.params]).toEqual([
      job!.organizationId,
      { id: job!.id },
    ])
    await core.advance(1_000)
    await settle()
    expect([useJobs().elsewhere, useJobs().open.length]).toEqual([[], 1])
  })

  it('is told if it is not armed, once, and when it is missed', async () => {
    const { core } = await opened(rebooting(3 * hour, lock))
    const { name } = useJobs().everywhere[0]!.target!
    const unarmed = `warn Nordlys A/S: Reboot ${name} is scheduled for 19 Nov 2026 12:30 and needs unlocking`
    expect(said()).toEqual([unarmed])
    core.emit('jobs.changed', { ids: [] })
    await settle()
    expect(said()).toEqual([unarmed])
    await core.advance(3 * hour)
    await settle()
    expect([said(), useJobs().everywhere]).toEqual([
      [`warn Nordlys A/S: Reboot ${name} missed its start time 19 Nov 2026 12:30, nothing was sent`, unarmed],
      [],
    ])
  })

  it('is told when it begins', async () => {
    const { core } = await opened(rebooting(3 * hour))
    const { name } = useJobs().everywhere[0]!.target!
    await core.advance(3 * hour)
    await settle()
    expect(said()).toEqual([`ok Nordlys A/S: Reboot ${name} has begun`])
  })

  it('is told when it is paused, and its message opens it', async () => {
    const { core } = await opened(rebooting(null, lock))
    const job = useJobs().everywhere[0]!
    expect(said()).toEqual([`warn Nordlys A/S: Reboot ${job.target!.name} is paused`])
    await messages.value[0]!.action!.run()
    await settle()
    expect([await currentId(core), useLayoutStore().current?.name]).toEqual([
      job.organizationId,
      'Nordlys A/S',
    ])
  })
})
