import { mount } from '@vue/test-utils'
import { afterEach, describe, expect, it } from 'vitest'
import { defineComponent, h, ref } from 'vue'
import { createMemoryHistory, createRouter } from 'vue-router'
import { useUrlAction } from '../../../renderer/components/url-action.ts'
import { settle } from '../core.ts'

const ready = ref(true)
const done: string[] = []
const page = defineComponent(() => {
  useUrlAction('list', { paste: { run: () => done.push('paste'), ready: () => ready.value } })
  return () => h('p')
})
async function open(address: string) {
  const router = createRouter({
    history: createMemoryHistory(),
    routes: [{ name: 'list', path: '/list/:id?', component: page }],
  })
  await router.push(address)
  mount(page, { global: { plugins: [router] } })
  await settle()
  return router
}
afterEach(() => {
  done.length = 0
  ready.value = true
})

describe('an action in a link', () => {
  it('runs once and is removed from the address, which otherwise stays', async () => {
    const router = await open('/list/7?do=paste&where=x')
    expect([done, router.currentRoute.value.fullPath]).toEqual([['paste'], '/list/7?where=x'])
  })
  it('waits until the page is ready', async () => {
    ready.value = false
    await open('/list?do=paste')
    expect(done).toEqual([])
    ready.value = true
    await settle()
    expect(done).toEqual(['paste'])
  })
  it('is ignored if the page does not know it', async () => {
    await open('/list?do=format')
    expect(done).toEqual([])
  })
})
