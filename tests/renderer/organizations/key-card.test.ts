import { mount } from '@vue/test-utils'
import { expect, it } from 'vitest'
import type { KeyCheck, KeyState } from '../../../electron/contract/api/organizations.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import KeyCard from '../../../renderer/organizations/KeyCard.vue'

const here = 'https://api.example'
const NOW = Date.parse('2026-11-21T13:58:00Z')
const key = (more: Partial<KeyState>): KeyState => ({
  slot: 'primary',
  set: true,
  lastFour: '7f3a',
  keptIn: 'keychain',
  addedAt: NOW - 60_000,
  lastUsedAt: NOW - 30_000,
  lastRefusedAt: null,
  notBound: null,
  ...more,
})
const check = (accepted: boolean, checkedAt: number): KeyCheck => ({ slot: 'primary', accepted, checkedAt })

it.each<[string, KeyState, KeyCheck | null, string]>([
  ['in use, never checked', key({}), null, 'Ending in 7f3a'],
  ['checked', key({}), check(true, NOW - 30_000), 'Ending in 7f3a · Accepted'],
  [
    'accepted by a check and refused since',
    key({ lastRefusedAt: NOW }),
    check(true, NOW - 30_000),
    'Ending in 7f3a · Refused',
  ],
  [
    'refused, and accepted by a check since',
    key({ lastRefusedAt: NOW - 40_000 }),
    check(true, NOW - 30_000),
    'Ending in 7f3a · Accepted',
  ],
  [
    'for another host, regardless of earlier results',
    key({ lastRefusedAt: NOW, notBound: { boundTo: 'https://elsewhere.example' } }),
    check(true, NOW),
    'Ending in 7f3a · Not sent',
  ],
  ['refused by the check', key({ lastRefusedAt: NOW }), check(false, NOW), 'Ending in 7f3a · Refused'],
])('shows that a key is %s', (_what, state, last, said) => {
  const card = mount(KeyCard, {
    props: { state, check: last, doing: null, fixed: false, inUse: false, regenerate: false, origin: here },
    global: { plugins: [i18n] },
  })
  expect(card.find('.mark').text()).toBe(said)
  card.unmount()
})

it.each<[string, KeyState, string[]]>([
  ['is kept', key({}), ['Added', 'Last used', 'Last refused']],
  ['is for this run only', key({ keptIn: 'environment', addedAt: null }), ['Last used', 'Last refused']],
])('shows the times of a key that %s', (_what, state, reported) => {
  const card = mount(KeyCard, {
    props: {
      state,
      check: null,
      doing: null,
      fixed: false,
      inUse: false,
      regenerate: false,
      origin: here,
    },
    global: { plugins: [i18n] },
  })
  expect(card.findAll('dt').map((one) => one.text())).toEqual(reported)
  card.unmount()
})
