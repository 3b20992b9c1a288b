import { mount } from '@vue/test-utils'
import { expect, it, onTestFinished } from 'vitest'
import KitDialog from '../../../renderer/kits/KitDialog.vue'
import { useKits } from '../../../renderer/kits/kits-store.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { openCore, settle } from '../core.ts'
import { textIn } from '../page.ts'

const subjects = { products: [{ vendorId: 2830, productId: 9401 }] }
const button = (name: string): HTMLButtonElement =>
  [...document.querySelectorAll('button')].find((one) => one.textContent.trim() === name)!
const words = (): string => textIn(document.querySelector('[role=dialog]')!)
const contents = { rooms: null, devices: null, ...subjects, version: 'approved' } as const

it('a kit is planned, gets a folder, and shows the rejection of the folder; nothing is made before a folder is selected', async () => {
  const core = await openCore()
  // The documents are cached from here on, because reading all of them takes seconds on the clock.
  await core.finish(core.handlers.kits.plan(contents))
  core.fail('kits.make', {
    kind: 'folder-unusable',
    reason: 'taken',
    path: '/chosen',
    needed: null,
    free: null,
  })
  const kits = useKits()
  kits.ask(subjects)
  const dialog = mount(KitDialog, { attachTo: document.body, global: { plugins: [i18n] } })
  onTestFinished(() => dialog.unmount())
  await settle()
  expect([core.argumentsOf('kits.plan'), button('Make the kit').disabled]).toEqual([[contents], true])
  button('Choose a folder').click()
  await settle()
  button('Make the kit').click()
  await settle()
  expect(core.argumentsOf('kits.make')).toEqual([{ ...contents, folder: '/chosen', withPeople: false }])
  expect(words()).toContain('/chosen')
  expect(button('Make the kit').disabled).toBe(false)
})

it('lists what is in a kit, and says that it is made only once it is', async () => {
  const core = await openCore()
  await core.finish(core.handlers.kits.plan(contents))
  const kits = useKits()
  const dialog = mount(KitDialog, { attachTo: document.body, global: { plugins: [i18n] } })
  onTestFinished(() => dialog.unmount())
  const release = core.hold('kits.plan')
  kits.ask(subjects)
  await settle()
  const planning = words()
  release()
  await settle()
  const planned = words()
  const finish = core.hold('kits.make')
  button('Choose a folder').click()
  await settle()
  button('Make the kit').click()
  await settle()
  const making = words()
  finish()
  expect([
    [planning, planned, making].map((text) => text.includes('Making')),
    planning.includes('Looking up what it contains…'),
    /Make a site kit for 1 product .*\d+ firmware files?, [^,]+ A first page/.test(planned),
    planned.includes('A page for 1 product: release notes and recovery steps'),
    making.includes('Making the kit in /chosen'),
  ]).toEqual([[false, false, true], true, true, true, true])
})

it('a kit that lacks a part says how many beside its folder, which can be copied', async () => {
  const core = await openCore()
  await core.finish(core.handlers.kits.plan(contents))
  Object.assign(core.platform.fileTransport, {
    get: async () => {
      throw new Error('no file is sent')
    },
  })
  const kits = useKits()
  kits.ask(subjects)
  const dialog = mount(KitDialog, { attachTo: document.body, global: { plugins: [i18n] } })
  onTestFinished(() => dialog.unmount())
  await settle()
  button('Choose a folder').click()
  await settle()
  await core.finish(kits.make())
  await settle()
  expect(words()).toMatch(
    /The kit is in \/chosen: \d+ files, .+\. 1 part is missing, as its first page says\./,
  )
  expect(document.querySelector('[aria-label="Copy Folder"]')).not.toBeNull()
})

it('plans what was asked for meanwhile when the kit that was being made fails', async () => {
  const core = await openCore()
  await core.finish(core.handlers.kits.plan(contents))
  const kits = useKits()
  kits.ask(subjects)
  await settle()
  core.fail('kits.make', {
    kind: 'folder-unusable',
    reason: 'taken',
    path: '/chosen',
    needed: null,
    free: null,
  })
  const finish = core.hold('kits.make')
  await kits.chooseFolder()
  const made = kits.make()
  kits.close()
  const others = { products: [{ vendorId: 2830, productId: 9395 }] }
  kits.ask(others)
  const meanwhile = core.argumentsOf('kits.plan').length
  finish()
  await core.finish(made)
  expect([meanwhile, kits.failure?.kind, core.argumentsOf('kits.plan').at(-1), kits.plan !== null]).toEqual([
    1,
    'folder-unusable',
    { ...contents, ...others },
    true,
  ])
})
