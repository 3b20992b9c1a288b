import { describe, expect, it } from 'vitest'
import { openPage, settle } from '../open-page.ts'

describe('Definitions', () => {
  it('begins with a sentence: the version in use, the latest, and why it is held', async () => {
    const { words } = await openPage('/definitions')
    expect(words()).toContain('Version in use 14.5.0 — schema 1.11.0 Public')
    expect(words()).toContain(
      "The service's latest is 14.6.0 (schema 1.12.0). Held at the installed package's 14.5.0",
    )
    expect(words()).toContain('read 4 minutes ago , from the cache')
  })

  it('from a device shows its variant and firmware, and the stage', async () => {
    const { page, words } = await openPage('/definitions/2830/9395?variant=02-64&firmware=2.8.1')
    expect((page.find('select').element as HTMLSelectElement).value).toBe('02-64')
    expect((page.find('input[list]').element as HTMLInputElement).value).toBe('2.8.1')
    expect(words()).toContain('Jabra Evolve2 65 Mono Public')
  })

  it('lists properties with limits, marks and an honest restart', async () => {
    const { page } = await openPage('/definitions/2830/9395?variant=01-64&firmware=2.7.0')
    const rows = page.findAll('tbody tr').map((row) => row.findAll('td').map((cell) => cell.text()))
    expect(rows.slice(0, 2)).toEqual([
      ['sidetoneLevel', 'integer', '0 to 10', 'read · write · event', 'not said'],
      ['busylightEnabled', 'boolean', 'any', 'read · write', 'no'],
    ])
  })

  it('draws only the rows in sight of a long list, and still tells how many there are', async () => {
    const { page } = await openPage('/definitions/2830/9395?variant=01-64&firmware=2.7.0')
    expect(page.find('table').attributes('aria-rowcount')).toBe('181')
    expect(page.findAll('tbody tr[aria-rowindex]').length).toBeLessThan(60)
  })

  it('each document that is not published says so in its own tab', async () => {
    const { page, words } = await openPage('/definitions/2830/9395?variant=01-64&firmware=2.7.0', {
      unpublished: true,
    })
    expect(words()).toContain('Property definitions not published')
    const tabs = page.findAll('[role="tab"]')
    await tabs[1]?.trigger('click')
    await settle()
    expect(words()).toContain('Device model not published')
    await tabs[2]?.trigger('click')
    await settle()
    expect(words()).toContain('Feature model not published')
  })

  it('a document above the ceiling is not listed; it says so, and Raw shows it as received', async () => {
    const { page, words, button } = await openPage('/definitions/2830/9395?variant=01-64&firmware=2.7.0', {
      odd: true,
    })
    expect(
      page.findAll('tbody tr').map((row) =>
        row
          .findAll('td')
          .map((cell) => cell.text())
          .slice(0, 3),
      ),
    ).toEqual([
      ['sidetoneLevel', 'integer', '0 to 10'],
      ['odd', 'as received', '"as it came"'],
    ])
    expect(words()).toContain(
      'Property document · definition version 14.6.0 · schema 1.12.0 · Candidate Above the highest supported version 14.5.0',
    )
    await button('Raw').trigger('click')
    await settle()
    expect(words()).toContain('properties { } 1 member future { } 0 members')
  })

  it('says that no list of schema versions is published', async () => {
    const { words } = await openPage('/definitions', { odd: true })
    expect(words()).toContain(
      "The service publishes no list of schema versions; the installed package's own, 1.12.0, was asked for.",
    )
  })

  it('a document that fails says why in its own tab, the others are shown', async () => {
    const { words, button } = await openPage('/definitions/2830/9395?variant=01-64&firmware=2.7.0', {
      odd: true,
    })
    expect(words()).toContain('sidetoneLevel')
    await button('Feature model').trigger('click')
    await settle()
    expect(words()).toContain('cdn.example.com')
    expect(words()).not.toContain('Feature model not published')
  })

  it('a refresh without connection keeps the version and its age, and says what happened', async () => {
    const { page, words, button } = await openPage('/definitions', { offline: true })
    await button('Refresh').trigger('click')
    await settle()
    expect(page.find('[role="alert"]').text()).toContain('cdn.cloud.jabra.com')
    expect(words()).toContain('Version in use 14.5.0')
    expect(words()).toContain('read 1 day ago')
  })

  it('without a version in use says so once, and one button reads the version and the definitions again', async () => {
    const call = { operation: 'GetGnpSchemaVersions', host: 'cdn.cloud.jabra.com' }
    const { page, core, words } = await openPage(
      '/definitions/2830/9395?variant=01-64&firmware=2.7.0',
      {},
      (double) => {
        double.fail('definitions.inUse', { kind: 'offline', call, message: 'ENOTFOUND' })
        double.fail('definitions.read', { kind: 'offline', call, message: 'ENOTFOUND' })
      },
    )
    expect(page.findAll('[role="alert"]')).toHaveLength(1)
    core.fail('definitions.inUse', null)
    core.fail('definitions.read', null)
    await page.find('[role="alert"] button').trigger('click')
    await settle()
    expect(page.findAll('[role="alert"]')).toHaveLength(0)
    expect(words()).toContain('Version in use 14.5.0')
    expect(words()).toContain('180 properties')
  })
})
