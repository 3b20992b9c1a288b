import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { i18n } from '../../../renderer/locales/i18n.ts'
import WaitingPage from '../../../renderer/welcome/WaitingPage.vue'

test.each([
  [
    'a file that another program has locked',
    { file: 'store.sqlite', holder: null, long: false },
    [
      'Another program, such as a backup or a database viewer, has store.sqlite locked. Headroom waits for it, 10 s at most.',
      [],
    ],
  ],
  [
    'what an update makes anew',
    { file: null, holder: null, long: false },
    [
      'Headroom prepares what it has read for this version, once after an update. Nothing is asked of the service.',
      [],
    ],
  ],
  [
    'an owner of the data folder that was asked',
    { file: null, holder: 'the app, process 7', long: false },
    [
      'The data folder belongs to the app, process 7. Headroom asked for it and takes over as soon as what is being sent has ended.',
      [],
    ],
  ],
  [
    'an owner without a name that does not hand over',
    { file: null, holder: '', long: true },
    [
      'The data folder belongs to another process, which has not handed it over. Nothing is read past it. Headroom tries again every 5 seconds; end the other program, or quit.',
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
    props: { file: null, holder: null, long: false },
    global: { plugins: [i18n] },
  })
  const before = page.get('progress').element.value
  location.hash = '#40'
  window.dispatchEvent(new Event('hashchange'))
  await page.vm.$nextTick()
  expect([before, page.get('progress').element.value, page.text()]).toEqual([
    0,
    40,
    expect.stringMatching(/40 %$/),
  ])
  page.unmount()
  location.hash = ''
})
