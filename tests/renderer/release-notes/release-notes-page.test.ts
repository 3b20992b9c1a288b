import { describe, expect, it } from 'vitest'
import { openPage, settle } from '../open-page.ts'

describe('Release notes', () => {
  it('groups links by what they lead to, each with its host, and those the releases name', async () => {
    const { page, words } = await openPage('/release-notes/2830/9395')
    expect(page.findAll('h3').map((one) => one.text())).toEqual([
      '1 release-notes link for Jabra Evolve2 65 Mono',
      'Release notes',
      'Support',
      'Other',
      'Named by releases',
    ])
    expect(words()).toContain('www.jabra.com /supportpages/jabra-evolve2-65-mono/release-notes')
  })

  it('a link is handed to the program, which asks for its host', async () => {
    const { button, openedOutside } = await openPage('/release-notes/2830/9395')
    await button('Firmware release notes').trigger('click')
    await settle()
    expect(openedOutside).toEqual(['https://www.jabra.com/supportpages/jabra-evolve2-65-mono/release-notes'])
  })

  it('a link over http is shown and cannot be opened', async () => {
    const { page, words } = await openPage('/release-notes/2830/9395', { odd: true })
    const [, support] = page.findAll('ul')
    expect(words()).toContain('not https: shown, not opened')
    expect(support?.findAll('button').map((one) => one.text())).toEqual([''])
  })

  it('loads no picture from another host', async () => {
    const { page, words } = await openPage('/release-notes/2830/9395')
    expect(page.findAll('img')).toHaveLength(0)
    expect(words()).toContain('1 picture address in the record')
  })

  it('a product the content document does not name is told as not published', async () => {
    const { words } = await openPage('/release-notes/2830/9395', { unpublished: true })
    expect(words()).toContain(
      'Not published The content document names no product that matches Jabra Evolve2 65 Mono.',
    )
  })

  it('never read and offline: says so with a way to try again', async () => {
    const call = { operation: 'GetProductContent', host: 'cdn.cloud.jabra.com' }
    const { page } = await openPage('/release-notes/2830/9395', {}, (core) =>
      core.fail('releaseNotes.get', { kind: 'offline', call, message: 'ENOTFOUND' }),
    )
    expect(page.find('[role="alert"]').text()).toContain('cdn.cloud.jabra.com')
  })
})
