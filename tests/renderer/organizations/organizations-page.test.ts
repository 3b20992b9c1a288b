import { describe, expect, it } from 'vitest'
import { acceptedKeys, settle, type TestCore } from '../core.ts'
import { openPage, textIn } from '../page.ts'
import { addFjordbank, currentId, refusePrimaryKey, showFjordbank } from './bring-organizations.ts'

async function enter(core: TestCore, key: string): Promise<void> {
  const input = document.querySelector<HTMLInputElement>('[role="dialog"] input')
  if (!input) throw new Error('no field for the key')
  input.value = key
  input.dispatchEvent(new Event('input'))
  document.querySelector('#enter-key')?.dispatchEvent(new Event('submit', { cancelable: true }))
  await core.answered('organizations.setKey')
  await settle()
}

describe('Organizations', () => {
  it('shows the known facts of a key, and never a key', async () => {
    const { words } = await openPage('/organizations')
    expect(words()).toContain('Primary key Ending in 7f3a In the keychain')
    expect(words()).toContain('Last refused never')
    expect(words()).toContain('Secondary key Not set')
    expect(words()).toContain('Check key makes one call with that key. It changes no device.')
    expect(words()).toContain('Unpublished addresses 2 of 5 entered, for settings and firmware of devices')
  })

  it('shows the calls of the current organization against both limits', async () => {
    const { page } = await openPage('/organizations', {}, addFjordbank)
    const calls = (): readonly string[] =>
      page.findAll('section[aria-label="Calls"] dl > div').map((one) => textIn(one.element))
    const ofCurrent = calls()
    await page.findAll('[role="option"]')[1]!.trigger('click')
    expect([ofCurrent, calls()]).toEqual([
      [
        expect.stringMatching(/^In five minutes \d+ of 10,000$/),
        expect.stringMatching(/^In one second \d+ of 100$/),
      ],
      [],
    ])
  })

  it('lists organizations only if there is a choice', async () => {
    const alone = (await openPage('/organizations')).page.find('[role="listbox"]').exists()
    const beside = (await openPage('/organizations', {}, addFjordbank)).page.findAll('[role="option"]')
    expect([alone, beside.length]).toEqual([false, 2])
  })

  it('explains after a refused key that everything stopped and what to do, with one action', async () => {
    const { page, words } = await openPage('/organizations', {}, refusePrimaryKey)
    expect(page.findAll('.button.primary').map((one) => one.text())).toEqual(['Enter the primary key'])
    expect(words()).toContain(
      'The service refused the key Calls for Nordlys A/S are stopped until you enter a valid key. The API portal shows it under profile → subscriptions. Enter the primary key',
    )
    const ofKeys = page.findAll('section[aria-label="Subscription keys"] .button')
    expect(ofKeys.map((one) => [one.text(), one.classes('plain')])).toEqual([
      ['Check key', true],
      ['Forget…', true],
      ['Enter key', true],
      ['Rotate keys', true],
    ])
  })

  it('explains without a keychain where keys are and what to install', async () => {
    const { words } = await openPage('/organizations', {}, async (core) => {
      core.platform.keychain.problem = 'no-service'
      await core.handlers.organizations.setKey({
        id: await currentId(core),
        slot: 'primary',
        key: acceptedKeys.primary,
      })
    })
    expect(words()).toContain('Keys stay in memory and are lost when Headroom quits.')
    expect(words()).toContain('Install gnome-keyring or KWallet')
    expect(words()).toContain('In memory, until you quit')
  })

  it('shows whether the service accepted the key', async () => {
    const { words, button } = await openPage('/organizations')
    await button('Check key').trigger('click')
    await settle()
    expect(words()).toContain('Ending in 7f3a · Accepted')
  })

  it('shows a refused key at its field and on its card, and keeps the dialog open', async () => {
    const { core, words, button } = await openPage('/organizations')
    await button('Enter key').trigger('click')
    await settle()
    await enter(core, 'wrong-9f21')
    expect(words()).toContain('The service refused this key.')
    expect(words()).toContain('Ending in 9f21 · Refused')
  })

  it.each<[string, string, (core: TestCore) => unknown, string]>([
    [
      'that is the primary one already',
      acceptedKeys.primary,
      () => undefined,
      'This key is already stored as the primary key',
    ],
    [
      'that cannot be checked now',
      acceptedKeys.secondary,
      ({ service }) => (service.offline = true),
      'Cannot reach api.cloud.jabra.com.',
    ],
  ])('shows in the dialog a key %s', async (_, key, prepare, said) => {
    const { core, button } = await openPage('/organizations', {}, prepare)
    await button('Enter key').trigger('click')
    await settle()
    await enter(core, key)
    expect(document.querySelector('[role="dialog"]')?.textContent).toContain(said)
  })

  it('stores a key for the organization whose dialog was opened, after another one became current', async () => {
    const { core, button } = await openPage('/organizations', {}, addFjordbank)
    const id = await currentId(core)
    await button('Enter key').trigger('click')
    await settle()
    await showFjordbank(core)
    await enter(core, acceptedKeys.secondary)
    expect(core.argumentsOf('organizations.setKey')).toEqual([
      { id, slot: 'secondary', key: acceptedKeys.secondary },
    ])
  })

  it('saves what was edited to the organization whose dialog was opened', async () => {
    const { core, button } = await openPage('/organizations', {}, addFjordbank)
    const id = await currentId(core)
    await button('Edit').trigger('click')
    await settle()
    await showFjordbank(core)
    document.querySelector('[role="dialog"] form')?.dispatchEvent(new Event('submit', { cancelable: true }))
    await core.answered('organizations.update')
    await settle()
    expect(core.argumentsOf('organizations.update')).toMatchObject([{ id, draft: { name: 'Nordlys A/S' } }])
  })

  it('closes a dialog with its organization, which was removed elsewhere', async () => {
    const { core, button } = await openPage('/organizations', {}, addFjordbank)
    await button('Enter key').trigger('click')
    await settle()
    await core.handlers.organizations.remove({ id: await currentId(core) })
    await core.advance(1_000)
    await settle()
    expect(document.querySelector('[role="dialog"]')).toBeNull()
  })

  it('does not clear the documents of an organization that became current after the question', async () => {
    const { core, button } = await openPage('/organizations', {}, addFjordbank)
    await button('Clear documents').trigger('click')
    await settle()
    expect(document.querySelector('[role="dialog"]')).not.toBeNull()
    await showFjordbank(core)
    expect(document.querySelector('[role="dialog"]')).toBeNull()
  })

  it('asks before a key is forgotten, with the name of its organization', async () => {
    const { words, button } = await openPage('/organizations')
    await button('Forget…').trigger('click')
    await settle()
    expect(words()).toContain('Forget the primary key of Nordlys A/S?')
  })

  it('lists what is lost on removal and asks first', async () => {
    const { core, button, words } = await openPage('/organizations', {}, addFjordbank)
    const id = await currentId(core)
    await button('Remove…').trigger('click')
    await settle()
    expect(words()).toContain('Remove Nordlys A/S?')
    expect(words()).toContain('its subscription keys, from the keychain too')
    expect(core.argumentsOf('organizations.remove')).toEqual([])
    const confirm = [...document.querySelectorAll('button')].find(
      (one) => one.textContent === 'Remove Nordlys A/S',
    )
    confirm?.click()
    await settle()
    const { organizations } = await core.handlers.organizations.list()
    expect([core.argumentsOf('organizations.remove'), organizations.map(({ name }) => name)]).toEqual([
      [{ id }],
      ['Fjordbank'],
    ])
  })

  it('reports an unreadable organization with a retry', async () => {
    const { page, core } = await openPage('/organizations', {}, (prepared) =>
      prepared.fail('organizations.list', {
        kind: 'cache-unusable',
        file: 'workbook',
        reason: 'damaged',
        message: 'malformed',
      }),
    )
    expect(page.find('[role="alert"]').exists()).toBe(true)
    core.fail('organizations.list', null)
    await page.find('[role="alert"] button').trigger('click')
    await settle()
    expect(page.text()).toContain('Nordlys A/S')
  })
})
