import { describe, expect, it } from 'vitest'
import { toasts } from '../../../renderer/components/toasts.ts'
import { settle, type TestCore } from '../core.ts'
import { openPage, type OpenedPage } from '../page.ts'
import { addDemonstration, addSecondaryKey, currentId, refusePrimaryKey } from './bring-organizations.ts'

const refusedKey = 'a1b2c3d4e5f60718293a4b5c6d7e9f21'

/** The steps as displayed: done, current, later. */
const steps = ({ page }: OpenedPage): string[] =>
  page.findAll('section[aria-label="Key rotation"] li').map((step) => {
    const state = ['done', 'now', 'later', 'refused'].filter((one) => step.classes(one))
    return `${state.join(' ')}: ${step.find('h4').text()}`
  })
async function press({ page }: OpenedPage, label: string): Promise<void> {
  const found = page.findAll('section[aria-label="Key rotation"] button').find((one) => one.text() === label)
  if (!found) throw new Error(`no button "${label}"`)
  await found.trigger('click')
  await settle()
}
async function enterKey({ core }: OpenedPage, key: string): Promise<void> {
  const input = document.querySelector<HTMLInputElement>('[role="dialog"] input')
  if (!input) throw new Error('no field for the key')
  input.value = key
  input.dispatchEvent(new Event('input'))
  document.querySelector('#enter-key')?.dispatchEvent(new Event('submit', { cancelable: true }))
  await core.answered('organizations.setKey')
  await settle()
}
/** The secondary key was taken into use four days ago. */
async function swapped(core: TestCore): Promise<void> {
  await addSecondaryKey(core)
  await core.handlers.organizations.useKey({ id: await currentId(core), slot: 'secondary' })
  core.sleep(4 * 86_400_000)
}
/** The service refused the primary key, so that the secondary one is in use. */
async function replaced(core: TestCore): Promise<void> {
  await addSecondaryKey(core)
  await refusePrimaryKey(core)
}
/** Neither key is accepted. */
async function stopped(core: TestCore): Promise<void> {
  await addSecondaryKey(core, refusedKey)
  await refusePrimaryKey(core)
}
const requested = ({ core }: OpenedPage): unknown[] =>
  core.requested
    .filter(({ channel }) => /Key|Regenerated/.test(channel))
    .map(({ channel, argument }) => [channel, argument])

describe('the key rotation', () => {
  it('goes from a tested key over its use to the reminder, and ends with the new key', async () => {
    const opened = await openPage('/organizations', {}, (core) => addSecondaryKey(core))
    await press(opened, 'Rotate keys')
    expect(steps(opened)).toEqual([
      'done: The primary key is in use, done',
      'now: Prepare the secondary key',
      'later: Use the secondary key',
      'later: Regenerate the primary key in the portal',
    ])
    await press(opened, 'Check the secondary key')
    expect(steps(opened)[2]).toBe('now: Use the secondary key')
    await press(opened, 'Use the secondary key')
    expect(toasts.value.map(({ text }) => text)).toEqual([
      'The secondary key is in use now. Regenerate the primary key in the portal.',
    ])
    expect(steps(opened)).toEqual([
      'done: The primary key was in use before, done',
      'done: Prepare the secondary key, done',
      'done: Use the secondary key, done',
      'now: Regenerate the primary key in the portal',
    ])
    expect(opened.words()).toContain('Primary key Regenerate it')
    await press(opened, 'Enter the new primary key')
    const key = opened.core.service.keys.regenerate('primary')
    await enterKey(opened, key)
    const id = await currentId(opened.core)
    expect(requested(opened)).toEqual([
      ['organizations.checkKey', { id, slot: 'secondary' }],
      ['organizations.useKey', { id, slot: 'secondary' }],
      ['organizations.setKey', { id, slot: 'primary', key }],
      ['organizations.checkKey', { id, slot: 'primary' }],
    ])
    expect(opened.words()).not.toContain('Regenerate it')
  })

  it('begins with entering a second key if there is none', async () => {
    const opened = await openPage('/organizations')
    await press(opened, 'Rotate keys')
    expect(opened.words()).toContain('You find it in the API portal: profile → subscriptions.')
    await press(opened, 'Enter the secondary key')
    expect(document.querySelector('[role="dialog"]')?.textContent).toContain('Secondary key · Nordlys A/S')
  })

  it('does not offer a refused key', async () => {
    const opened = await openPage('/organizations')
    await press(opened, 'Rotate keys')
    await press(opened, 'Enter the secondary key')
    await enterKey(opened, refusedKey)
    expect(steps(opened)[1]).toBe('now: Prepare the secondary key')
    expect(opened.words()).toContain('The service refused the stored key.')
  })

  it('stays visible half done when the page is opened again, with its start', async () => {
    const opened = await openPage('/organizations', {}, swapped)
    expect(steps(opened).at(-1)).toBe('now: Regenerate the primary key in the portal')
    expect(opened.words()).toContain('Replaced 4 days ago')
  })

  it('shows after a refusal that the key was regenerated elsewhere', async () => {
    const opened = await openPage('/organizations', {}, replaced)
    expect(opened.words()).toContain('Someone regenerated or withdrew it.')
    await press(opened, 'I have regenerated it')
    const id = await currentId(opened.core)
    expect(requested(opened)).toEqual([['organizations.keyRegenerated', { id, slot: 'primary' }]])
    expect(opened.words()).not.toContain('Regenerate it')
  })

  it('shows the next step while everything is stopped', async () => {
    const opened = await openPage('/organizations', {}, stopped)
    expect(steps(opened).slice(0, 2)).toEqual([
      'refused: The primary key is in use',
      'now: Prepare the secondary key',
    ])
    expect(opened.words()).toContain('The service refused it.')
  })

  it('is hidden for the demonstration, which has one key', async () => {
    const { page } = await openPage('/organizations', {}, addDemonstration)
    expect(page.find('section[aria-label="Key rotation"]').exists()).toBe(false)
  })

  it('shows why it failed, and changes nothing', async () => {
    const opened = await openPage('/organizations', {}, (core) => addSecondaryKey(core))
    await press(opened, 'Rotate keys')
    await press(opened, 'Check the secondary key')
    opened.core.fail('organizations.useKey', {
      kind: 'cache-unusable',
      file: 'workbook',
      reason: 'disk-full',
      message: 'database or disk is full',
    })
    await press(opened, 'Use the secondary key')
    expect(opened.words()).toContain('does not fit on the disk')
    expect(steps(opened)[2]).toBe('now: Use the secondary key')
  })
})

it('shows which key is used after one of two is forgotten', async () => {
  const { button, words } = await openPage('/organizations', {}, (core) => addSecondaryKey(core))
  await button('Forget…').trigger('click')
  await settle()
  expect(words()).toContain('The secondary key is used from then on.')
})
