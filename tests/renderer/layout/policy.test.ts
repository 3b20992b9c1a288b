import { mount } from '@vue/test-utils'
import { getActivePinia } from 'pinia'
import type { Component } from 'vue'
import { describe, expect, it } from 'vitest'
import ExportDialog from '../../../renderer/exports/ExportDialog.vue'
import { useExports } from '../../../renderer/exports/exports-store.ts'
import { rebootOf, useJobPlan } from '../../../renderer/jobs/job-plan-store.ts'
import PlanDialog from '../../../renderer/jobs/PlanDialog.vue'
import { i18n } from '../../../renderer/locales/i18n.ts'
import PrintSheets from '../../../renderer/rooms/PrintSheets.vue'
import { createPages } from '../../../renderer/router.ts'
import { useLayoutStore } from '../../../renderer/layout/layout-store.ts'
import { usePolicy, type PolicyQuestion } from '../../../renderer/layout/policy-store.ts'
import { FakePolicy } from '../../fake-policy.ts'
import { openCore, settle, type TestCore } from '../core.ts'
import { openPage, textIn } from '../page.ts'

const become =
  (document: object | string) =>
  async (core: TestCore): Promise<void> => {
    ;(core.platform.policySource as FakePolicy).become(document)
    await settle()
  }
const questions: readonly PolicyQuestion[] = ['change', 'act', 'export', 'webhooks', 'demonstration']

describe('the policy in the window', () => {
  it.each<[object | string, Partial<Record<PolicyQuestion, string>>]>([
    [{}, {}],
    [{ lookOnly: true }, { act: 'The policy of this computer allows viewing only.' }],
    [
      { export: false, webhooks: false, demonstration: false },
      {
        export: 'The policy of this computer does not allow exports, printed sheets and site kits.',
        webhooks: 'The policy of this computer does not allow validating webhooks.',
        demonstration: 'The policy of this computer does not allow the demonstration.',
      },
    ],
    [
      '{',
      Object.fromEntries(
        questions.map((question) => [
          question,
          `The policy of this computer cannot be used, so nothing can be changed: ${FakePolicy.file}, line 1: the document is incomplete.`,
        ]),
      ),
    ],
  ])('%j says why something is not allowed', async (document, expected) => {
    await openPage('/preferences', {}, become(document))
    const { whyNot } = usePolicy()
    expect(
      Object.fromEntries(
        questions.flatMap((question) => (whyNot(question) === null ? [] : [[question, whyNot(question)]])),
      ),
    ).toEqual(expected)
  })
  it('is followed while the window is open', async () => {
    const { core } = await openPage('/preferences')
    const { whyNot, unlockMinutes } = usePolicy()
    const before = [whyNot('act'), unlockMinutes.value]
    await become({ lookOnly: true, lockAfterMinutes: 5 })(core)
    await useLayoutStore().fetchStatus()
    expect([before, whyNot('act') === null, unlockMinutes.value]).toEqual([[null, 15], false, 5])
  })
})

describe('Preferences', () => {
  it.each<[object | string | null, string]>([
    [
      null,
      `Set by your organization No policy. An administrator of this computer can set one in ${FakePolicy.file}.`,
    ],
    [
      { allowedHosts: ['a.example', '*.b.example'], export: false, mostItems: 20 },
      `Set by your organization An administrator of this computer restricts or presets this in ${FakePolicy.file}. Only these hosts are contacted a.example, *.b.example Most rooms and devices in an hour 20 Exports, printed sheets and site kits no`,
    ],
    [
      '{',
      `Set by your organization An administrator of this computer restricts or presets this in ${FakePolicy.file}. ${FakePolicy.file}, line 1: the document is incomplete.`,
    ],
  ])('show the policy %j', async (document, words) => {
    const { page } = await openPage('/preferences', {}, document === null ? undefined : become(document))
    expect(
      page
        .get('#preferences-policy')
        .findAll('h2, p, dt, dd')
        .flatMap((one) => one.text() || [])
        .join(' '),
    ).toBe(words)
  })
})

describe('Organizations under a policy', () => {
  it('disable what is set by the organization, and say so', async () => {
    const { page, words } = await openPage('/organizations', {}, async (core) => {
      const { name } = await core.handlers.organizations.current()
      const address = 'https://a.example'
      const organizations = [{ name, managementUrl: address, metadataUrl: address }]
      await become({ organizations, webhooks: false })(core)
    })
    const disabled = page
      .findAll('button[disabled]')
      .map((one) => one.text())
      .filter((text) => ['Edit', 'Remove…'].includes(text))
    expect([disabled, words().includes('Set by your organization'), words().includes('Validation')]).toEqual([
      ['Edit', 'Remove…'],
      true,
      false,
    ])
  })
})

describe('an action that the policy does not allow', () => {
  const opened = async (document: object): Promise<TestCore> => {
    const core = await openCore()
    await become(document)(core)
    await useLayoutStore().start()
    return core
  }
  const over = async (part: Component, props: object = {}): Promise<void> => {
    const router = createPages(() => true)
    await router.push('/rooms')
    mount(part, { attachTo: document.body, props, global: { plugins: [getActivePinia()!, i18n, router] } })
    await settle()
  }
  const main = (): (string | boolean)[] => {
    const button = document.querySelector<HTMLButtonElement>('.button.primary')!
    return [button.disabled, textIn(document.body).includes('The policy of this computer')]
  }

  it('is disabled with the reason in the plan of a job', async () => {
    const core = await opened({ lookOnly: true })
    const { rows } = await core.handlers.rooms.list({ where: 'online:>0', sort: [], start: 0, count: 1 })
    await core.finish(useJobPlan().ask(rebootOf(rows[0]!.id)))
    await over(PlanDialog)
    expect(main()).toEqual([true, true])
  })
  it('is disabled with the reason where a list is exported', async () => {
    await opened({ export: false })
    const subject = {
      of: 'devices',
      selection: { kind: 'matching', where: '', except: [] },
      sort: [],
    } as const
    useExports().ask({
      title: 'Export devices',
      choices: [{ label: '300 devices', count: 300, subject }],
      columns: [],
      viewName: null,
    })
    await over(ExportDialog)
    expect(main()).toEqual([true, true])
  })
  it('is disabled with the reason where a sheet is printed', async () => {
    await opened({ export: false })
    await over(PrintSheets, { label: 'Print sheet', rooms: { kind: 'picked', ids: ['a'] } })
    const { disabled, title } = document.querySelector<HTMLButtonElement>('.button')!
    expect([disabled, title]).toEqual([
      true,
      'The policy of this computer does not allow exports, printed sheets and site kits.',
    ])
  })
})
