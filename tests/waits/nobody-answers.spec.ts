import { expect, test } from '@playwright/test'
import { headroom } from '../e2e/headroom.ts'
import { newHome, type Home } from '../e2e/program.ts'

let home: Home
test.beforeEach(() => {
  home = newHome()
})
test.afterEach(() => home.remove())

// Five attempts with back-off.
for (const url of ['http://127.0.0.1:9/management', 'https://headroom.invalid'])
  test(`a sync of ${url}, where nothing responds, is reported with the host and what to do`, async () => {
    const added = await headroom(home, [
      'org',
      'add',
      'Wrong',
      '--management-url',
      url,
      '--metadata-url',
      url,
    ])
    expect(added.code).toBe(0)
    const said = await headroom(home, ['sync'], { key: '0123456789abcdef0123456789abcdef' })
    expect([said.code, said.output]).toEqual([3, ''])
    expect(said.errors).toMatch(
      new RegExp(
        `^Cannot reach ${new URL(url).host} .* Check the network, the address and the proxy. All data read so far stays available\\.`,
      ),
    )
  })
