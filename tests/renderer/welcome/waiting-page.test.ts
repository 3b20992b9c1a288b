import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { i18n } from '../../../renderer/locales/i18n.ts'
import WaitingPage from '../../../renderer/welcome/WaitingPage.vue'

test.each([
  [
    'a rebuild after an update',
    { holder: null, long: false },
    [
      'Headroom is preparing its data for this version. This happens once after an update. No calls are made.',
      [],
    ],
  ],
  [
    'an owner of the data folder that was contacted',
    { holder: 'the app, process 7', long: false },
    [
      'The data folder is in use by the app, process 7. Headroom takes over as soon as its calls have finished.',
      [],
    ],
  ],
  [
    'an owner without a name that does not hand over',
    { holder: '', long: true },
    [
      'The data folder is in use by another process. Headroom tries again every 5 seconds. Close it there, or quit.',
      ['Quit'],
    ],
  ],
])('the start waits for %s', (_, props, [sentence, buttons]) => {
  const page = mount(WaitingPage, { props, global: { plugins: [i18n] } })
  expect([page.get('[role=status]').text(), page.findAll('button').map((one) => one.text())]).toEqual([
    sentence,
    buttons,
  ])
})

test('an update shows the per cent of its rebuild, as the address changes', async () => {
  const page = mount(WaitingPage, {
    props: { holder: null, long: false },
    global: { plugins: [i18n] },
  })
  const previous = page.get('progress').element.value
  location.hash = '#40'
  window.dispatchEvent(new Event('hashchange'))
  await page.vm.$nextTick()
  expect([previous, page.get('progress').element.value, page.text()]).toEqual([
    0,
    40,
    expect.stringMatching(/40%$/),
  ])
  page.unmount()
  location.hash = ''
})
