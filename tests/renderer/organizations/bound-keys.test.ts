import { describe, expect, it } from 'vitest'
import { acceptedKeys, settle, type TestCore } from '../core.ts'
import { openPage, type OpenedPage } from '../page.ts'
import { learnOfKeys, putInKeychain } from './bring-organizations.ts'

const here = 'https://api.cloud.jabra.com'
it('a key for another host than that of the organization names both, and can only be entered again', async () => {
  const opened = await openPage('/organizations', {}, async (core) => {
    await putInKeychain(core, `${acceptedKeys.primary} https://elsewhere.example`)
    await learnOfKeys(core)
  })
  expect(opened.words()).toContain(
    `Ending in 7f3a · Not sent In the keychain This key belongs to https://elsewhere.example, but this organization’s address points to ${here}. Correct the address, or enter the key for the new one.`,
  )
  await opened.button('Check key').trigger('click')
  await settle()
  expect(opened.words()).toContain(
    `The primary subscription key belongs to https://elsewhere.example, but would have been sent to ${here}. Nothing was sent.`,
  )
})

it('the key dialog shows the only host that the key is sent to', async () => {
  const opened = await openPage('/organizations')
  await opened.button('Replace').trigger('click')
  await settle()
  expect(opened.words()).toContain(`You will not be able to see it again. It is sent only to ${here}.`)
})

describe('editing an organization', () => {
  const saving = async (
    field: 'managementUrl' | 'metadataUrl',
    address: string,
    before: (core: TestCore) => void = () => undefined,
  ): Promise<OpenedPage> => {
    const opened = await openPage('/organizations')
    await opened.button('Edit').trigger('click')
    await settle()
    before(opened.core)
    const input = document.querySelector<HTMLInputElement>(`#edit-organization input[name="${field}"]`)
    if (!input) throw new Error(`no field ${field}`)
    input.value = address
    input.dispatchEvent(new Event('input'))
    document.querySelector('#edit-organization')?.dispatchEvent(new Event('submit', { cancelable: true }))
    await settle()
    return opened
  }

  it('to another host asks for the key again, and explains why', async () => {
    const opened = await saving('managementUrl', 'https://api.elsewhere.example/v2')
    expect(opened.words()).toContain(
      'Primary key · Nordlys A/S The address now points to https://api.elsewhere.example. The key for the old address was removed from Headroom: enter the key for the new address.',
    )
    expect(document.querySelector('#enter-key input')).not.toBeNull()
  })

  it('asks for the key of the saved address, also before the list is reloaded', async () => {
    const opened = await saving('managementUrl', 'https://api.elsewhere.example/v2', (core) =>
      core.fail('organizations.list', {
        kind: 'cache-unusable',
        file: 'workbook.sqlite',
        reason: 'busy',
        message: '',
      }),
    )
    expect(opened.words()).toContain('The address now points to https://api.elsewhere.example.')
  })

  it.each([
    ['managementUrl', `${here}/v2`],
    ['metadataUrl', 'https://models.elsewhere.example'],
  ] as const)('with %s changed to %s does not ask for the key', async (field, address) => {
    const opened = await saving(field, address)
    expect([
      document.querySelector('[role="dialog"]'),
      opened.core.argumentsOf('organizations.update').length,
    ]).toEqual([null, 1])
  })
})
