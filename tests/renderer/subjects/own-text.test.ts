import { mount } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { expect, test } from 'vitest'
import type { Failure } from '../../../electron/contract/failure.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import OwnText from '../../../renderer/subjects/OwnText.vue'
import { settle } from '../core.ts'

test('a failure to save an earlier text is not shown once a later one was saved', async () => {
  const answers: ((why: Failure | null) => void)[] = []
  const page = mount(OwnText, {
    props: {
      of: 'R1',
      text: '',
      label: 'Note',
      atMost: 100,
      save: () => new Promise<Failure | null>((resolve) => void answers.push(resolve)),
    },
    global: { plugins: [i18n, createPinia()] },
  })
  const text = page.find('input')
  await text.setValue('first')
  await text.trigger('change')
  await text.setValue('second')
  await text.trigger('change')
  answers[1]?.(null)
  await settle()
  answers[0]?.({ kind: 'writes-locked' })
  await settle()
  await text.trigger('change')
  expect([answers.length, page.text()]).toEqual([2, 'Note'])
})
