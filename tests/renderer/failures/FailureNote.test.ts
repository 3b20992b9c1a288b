import { mount } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import type { Failure } from '../../../electron/contract/failure.ts'
import FailureNote from '../../../renderer/failures/FailureNote.vue'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { createPages } from '../../../renderer/router.ts'
import { copyTextKey } from '../../../renderer/components/clipboard.ts'

describe('the note of a failure', () => {
  const failure = {
    kind: 'refused',
    call: { operation: 'ListDevices', host: 'api.example.com' },
    status: 400,
    message: 'bad api-version',
  } as const
  it('says what happened, in which call and what to do, and copies the details', async () => {
    const copied: string[] = []
    const note = mount(FailureNote, {
      props: { failure, retry: true },
      global: {
        plugins: [i18n],
        provide: { [copyTextKey as symbol]: (text: string) => Promise.resolve(copied.push(text) > 0) },
      },
    })
    expect(note.get('.sentence').text()).toBe('api.example.com refused the call with status 400.')
    expect(note.get('.call').text()).toBe('ListDevices')
    await note.get('details button').trigger('click')
    expect(copied).toEqual([
      'api.example.com refused the call with status 400.\nKind: refused\nCall: ListDevices at api.example.com\nStatus: 400\nMessage: bad api-version',
    ])
    await note.get('.actions > button').trigger('click')
    expect(note.emitted('retry')).toHaveLength(1)
  })

  it.each<[Failure, readonly string[]]>([
    [{ kind: 'key-missing' }, ['Open Organizations']],
    [{ kind: 'key-refused', slot: 'primary', message: null }, ['Open Organizations']],
    [
      {
        kind: 'key-not-bound',
        slot: 'primary',
        boundTo: 'https://other.example',
        wouldGoTo: 'https://api.example',
      },
      ['Open Organizations'],
    ],
    [{ kind: 'key-unreadable', slot: 'primary' }, ['Open Organizations']],
    [{ kind: 'writes-locked' }, []],
  ])('links %j to the keys if a key fixes it', (why, links) => {
    const note = mount(FailureNote, {
      props: { failure: why },
      global: { plugins: [i18n, createPages(() => true)] },
    })
    expect(note.findAll('a').map((link) => link.text())).toEqual(links)
  })
})
