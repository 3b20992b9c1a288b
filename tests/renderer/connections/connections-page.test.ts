import { describe, expect, it } from 'vitest'
import { openPage, wordsOf } from '../open-page.ts'

describe('Connections', () => {
  it('names every host, why and for whom, the last one first, and marks what is on this computer', async () => {
    const opened = await openPage('/connections')
    const rows = opened.page.findAll('tbody tr').map((row) => wordsOf(row.element))
    expect(rows.map((row) => row.split(' ').slice(0, 2).join(' '))).toEqual([
      'api.cloud.jabra.com Devices,',
      'cdn.cloud.jabra.com Products,',
      'www.jabra.com An',
      '127.0.0.1:40113 local',
    ])
    expect(rows[0]).toContain('Nordlys A/S, Vesterbro Kommune 18,204 31')
  })
  it('says that nothing else is contacted', async () => {
    const opened = await openPage('/connections')
    expect(opened.words()).toContain('there is no telemetry, no analytics and no crash reporting')
  })
  it('before the first call it says that nothing was contacted', async () => {
    const opened = await openPage('/connections', { empty: true })
    expect(opened.words()).toContain('Nothing contacted yet')
  })
  it('a failure is told, not an empty page', async () => {
    const opened = await openPage('/connections', {}, (core) =>
      core.fail('connections.list', { kind: 'bug', reference: 'R9' }),
    )
    expect([opened.words().includes('R9'), opened.words().includes('Nothing contacted yet')]).toEqual([
      true,
      false,
    ])
  })
})
