import { mount } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { expect, onTestFinished, test } from 'vitest'
import type { DeviceRow } from '../../../electron/contract/api/devices.ts'
import TagDialog from '../../../renderer/devices/TagDialog.vue'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { devicesOf, openCore, settle } from '../core.ts'

test('tags that are added before the known ones arrive stay, and are not told apart by case', async () => {
  const core = await openCore()
  const [first, second] = await devicesOf(core)
  const selection = { kind: 'picked', ids: [second!.id] } as const
  await core.handlers.tags.change({ selection, add: ['spare', 'lent'], remove: [] })
  const release = core.hold('tags.list')
  const page = mount(TagDialog, {
    attachTo: '#page',
    props: {
      open: true,
      count: 1,
      chosen: { kind: 'picked', rows: new Map([[first!.id, first!]]) } as never,
    },
    global: { plugins: [i18n, createPinia()] },
  })
  await settle()
  const dialog = document.querySelector('.dialog-box')!
  const text = dialog.querySelector<HTMLInputElement>('form input')!
  for (const name of ['new one', 'Spare']) {
    text.value = name
    text.dispatchEvent(new Event('input'))
    await settle()
    dialog.querySelector<HTMLButtonElement>('form button')!.click()
  }
  release()
  await settle()
  const lines = [...dialog.querySelectorAll('li')].map((line) => [
    line.querySelector('.word')?.textContent,
    line.querySelector('input')?.checked,
  ])
  expect(lines).toEqual([
    ['new one', true],
    ['lent', false],
    ['spare', true],
  ])
  page.unmount()
})

async function openDialog(...chosen: readonly DeviceRow[]) {
  const page = mount(TagDialog, {
    attachTo: '#page',
    props: {
      open: true,
      count: chosen.length,
      chosen: { kind: 'picked', rows: new Map(chosen.map((row) => [row.id, row])) } as never,
    },
    global: { plugins: [i18n, createPinia()] },
  })
  onTestFinished(() => page.unmount())
  await settle()
  const dialog = document.querySelector('.dialog-box')!
  return {
    text: dialog.querySelector<HTMLInputElement>('form input')!,
    box: (tag: string): HTMLInputElement =>
      [...dialog.querySelectorAll('li')]
        .find((line) => line.querySelector('.word')?.textContent === tag)!
        .querySelector('input')!,
    apply: (): void => {
      ;[...dialog.querySelectorAll('button')].find((one) => one.textContent?.trim() === 'Apply')!.click()
    },
  }
}

test('a text that was typed to find a tag is not added beside the tag that was ticked', async () => {
  const core = await openCore()
  const [first, second] = await devicesOf(core)
  const selection = { kind: 'picked', ids: [second!.id] } as const
  await core.handlers.tags.change({ selection, add: ['spare'], remove: [] })
  const { text, box, apply } = await openDialog(first!)
  text.value = 'spa'
  text.dispatchEvent(new Event('input'))
  await settle()
  box('spare').click()
  await settle()
  apply()
  await settle()
  expect([core.argumentsOf('tags.change'), text.value]).toMatchObject([[{ add: ['spare'], remove: [] }], ''])
})

test('a box shows what was ticked, from some devices through all and none to unchanged', async () => {
  const core = await openCore()
  const [first, second] = await devicesOf(core)
  const selection = { kind: 'picked', ids: [first!.id] } as const
  await core.handlers.tags.change({ selection, add: ['spare'], remove: [] })
  const [tagged] = await devicesOf(core)
  const { box } = await openDialog(tagged!, second!)
  const states: unknown[] = []
  for (let click = 0; click <= 3; click++) {
    const { checked, indeterminate } = box('spare')
    states.push([checked, indeterminate])
    box('spare').click()
    await settle()
  }
  expect(states).toEqual([
    [false, true],
    [true, false],
    [false, false],
    [false, true],
  ])
})

// Otherwise a browser restores the last state of the box after it was drawn anew.
test('a click on a box is not cancelled', async () => {
  const core = await openCore()
  const [first, second] = await devicesOf(core)
  const selection = { kind: 'picked', ids: [second!.id] } as const
  await core.handlers.tags.change({ selection, add: ['spare'], remove: [] })
  const { box } = await openDialog(first!)
  const click = new MouseEvent('click', { bubbles: true, cancelable: true })
  box('spare').dispatchEvent(click)
  expect(click.defaultPrevented).toBe(false)
})
