import { mount } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { afterEach, expect, it } from 'vitest'
import type { ChangeGroup } from '../../../electron/contract/api/changes.ts'
import ChangeGroupList from '../../../renderer/changes/ChangeGroupList.vue'
import { setTimeZone } from '../../../renderer/components/format.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'

afterEach(() => setTimeZone(null))

const onDay = (at: string): ChangeGroup => ({
  key: at,
  dayAt: Date.parse(at),
  of: 'device',
  kind: 'went-offline',
  own: null,
  subjectId: null,
  productName: null,
  product: null,
  before: null,
  after: null,
  count: 1,
  firstAt: Date.parse(at),
  lastAt: Date.parse(at),
  names: [],
  more: 0,
})

it.each<[string, string, readonly string[], readonly string[]]>([
  [
    'the day of 23 hours',
    '2026-03-30T00:30+02:00',
    ['2026-03-30T00:00+02:00', '2026-03-29T00:00+01:00', '2026-03-28T00:00+01:00'],
    ['Today', 'Yesterday', '28 Mar 2026'],
  ],
  [
    'the day of 25 hours',
    '2026-10-25T23:30+01:00',
    ['2026-10-25T00:00+02:00', '2026-10-24T00:00+02:00', '2026-10-23T00:00+02:00'],
    ['Today', 'Yesterday', '23 Oct 2026'],
  ],
])('the day before is yesterday, also beside %s', (_, now, days, titles) => {
  setTimeZone('Europe/Copenhagen')
  const page = mount(ChangeGroupList, {
    props: { groups: days.map(onDay), opened: new Map(), nowAt: Date.parse(now) },
    global: { plugins: [i18n, createPinia()], stubs: { RouterLink: true } },
  })
  expect(page.findAll('section').map((day) => day.attributes('aria-label'))).toEqual(titles)
})
