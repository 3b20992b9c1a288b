import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { createMemoryHistory, createRouter } from 'vue-router'

const nothing = { render: () => null }

test('a component warns', () => {
  expect(mount({ render: () => null, props: { needed: { required: true } } }).exists()).toBe(true)
})
test('the router warns', async () => {
  await createRouter({ history: createMemoryHistory(), routes: [{ path: '/', component: nothing }] }).push(
    '/nowhere',
  )
})
test('a program tells an error', () => console.error('out of paper'))
test('a library notes something', () => console.log('soon withdrawn'))
test('nothing warns', () => {
  expect(mount(nothing).exists()).toBe(true)
})
