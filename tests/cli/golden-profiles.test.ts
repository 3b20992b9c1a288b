import { describe, expect, it } from 'vitest'
import { goldenProfileCommands } from '../../electron/cli/commands/golden-profiles.ts'
import { parse, UsageError } from '../../electron/cli/grammar.ts'
import type {
  DriftedDevice,
  GoldenProfileDetails,
  GoldenProfileSummary,
} from '../../electron/contract/api/golden-profiles.ts'
import { aCore } from './a-core.ts'
import { aTerminal } from './a-terminal.ts'

const summary: GoldenProfileSummary = {
  profile: {
    id: 'g1',
    name: 'Meeting rooms',
    productId: 12306,
    variantType: null,
    productName: 'Jabra PanaCast 50',
    settings: [{ name: 'fieldOfView', value: '_90deg', locked: true }, { name: 'led', value: false }], // prettier-ignore
    createdAt: 0,
    changedAt: 0,
  },
  devices: 3,
  counts: { 'drifted': 1, 'not-available': 0, 'not-read': 1, 'as-wanted': 1 }, // prettier-ignore
  oldestReadAt: 0,
}
const details: GoldenProfileDetails = {
  ...summary,
  settings: [
    {
      name: 'fieldOfView',
      wanted: '_90deg',
      locked: true,
      asWanted: 1,
      drifted: 1,
      notAvailable: 0,
      refused: { devices: 1, reason: 'The value must be one of: _120deg.' },
      instead: [{ value: '_120deg', count: 1 }],
    },
  ],
}
const drifted: DriftedDevice = {
  id: 'D1',
  name: 'Fjord camera',
  serialNumber: null,
  status: 'online',
  variantType: '01',
  firmwareVersion: '1.0.0',
  userName: null,
  room: 'Fjord',
  productName: null,
  state: 'drifted',
  readAt: 0,
  drift: [{ name: 'fieldOfView', reason: 'value', now: '_120deg', wanted: '_90deg', refused: null }],
}
const notRead: DriftedDevice = {
  ...drifted,
  id: 'D2',
  name: 'Hall camera',
  state: 'not-read',
  readAt: null,
  drift: [],
}

async function run(summaries: readonly GoldenProfileSummary[], ...argv: string[]): Promise<string> {
  const goldenProfiles = {
    list: async () => summaries,
    get: async () => details,
    devices: async ({ state }: { state: string | null }) => {
      const rows = [drifted, notRead].filter((one) => one.state === state)
      return { rows, total: rows.length }
    },
    notAllowed: async ({ start }: { start: number }) => ({
      rows: [drifted, { ...drifted, id: 'D3' }].slice(start, start + 1).map((one) => ({
        ...one,
        drift: [
          {
            name: 'zoom',
            reason: 'not-allowed' as const,
            now: 'wide',
            wanted: null,
            refused: 'The value must be one of: off.',
          },
        ],
      })),
      total: 2,
      devices: 9,
      read: 5,
      withoutModel: 1,
      oldestReadAt: 0,
    }),
  }
  const definitions = {
    settingNames: async () => ({
      labels: [['fieldofview', 'View']] as const,
      groups: [{ productId: 12306, settings: [['led', 'Lights']] as const }],
    }),
  }
  const core = aCore({ handlers: { goldenProfiles, definitions } })
  const terminal = aTerminal()
  const given = parse(goldenProfileCommands, argv)
  const command = goldenProfileCommands.find(({ name }) => name === given.shape.name)
  expect(await command?.run(core, given, terminal)).toBe(0)
  return terminal.output
}

describe('headroom settings golden', () => {
  it('lists each golden profile with its settings', async () => {
    const printed = await run([summary], 'settings', 'golden')
    expect(printed).toContain('Meeting rooms (Jabra PanaCast 50)')
    expect(printed).toMatch(/led\s+LED\s+Lights\s+off\n\s+fieldOfView\s+View\s+–\s+_90deg\s+locked/)
  })
  it('says where golden profiles come from when there is none', async () => {
    expect(await run([], 'settings', 'golden')).toContain('No golden profiles yet. Make one in the app')
  })
  it('is one document of golden profiles with --json', async () => {
    const [view, led] = summary.profile.settings
    expect(JSON.parse(await run([summary], 'settings', 'golden', '--json'))).toEqual([
      {
        ...summary.profile,
        settings: [
          { ...led, label: 'LED', group: 'Lights' },
          { ...view, label: 'View', group: null },
        ],
      },
    ])
  })
})

describe('headroom settings drift', () => {
  it('counts devices for every golden profile', async () => {
    const printed = await run([summary], 'settings', 'drift')
    expect(printed).toMatch(
      /Golden profile\s+Product\s+Devices\s+Drifted\s+Not available\s+Not read\s+As wanted/,
    )
    expect(printed).toMatch(/Meeting rooms\s+Jabra PanaCast 50\s+3\s+1\s+0\s+1\s+1/)
  })
  it.each([
    ['by its name, of several words', ['Meeting', 'rooms']],
    ['in another case', ['MEETING ROOMS']],
    ['by its id', ['g1']],
  ])(
    'shows one golden profile %s, its settings and the devices that are not as wanted',
    async (_how, words) => {
      const printed = await run([summary], 'settings', 'drift', ...words)
      expect(printed).toMatch(
        /fieldOfView\s+View\s+–\s+_90deg\s+1\s+1\s+0\s+_120deg \(1\)\s+by 1: The value must be one of: _120deg\./,
      )
      expect(printed).toMatch(
        /Fjord · Fjord camera\s+D1\s+Drifted\s+View: fieldOfView=_120deg \(wanted _90deg\)/,
      )
      expect(printed).toMatch(/Fjord · Hall camera\s+D2\s+Not read\s+–/)
    },
  )
  it('is one document with --json, devices and all', async () => {
    expect(JSON.parse(await run([summary], 'settings', 'drift', 'g1', '--json'))).toEqual({
      ...details,
      settings: details.settings.map((one) => ({ ...one, label: 'View', group: null })),
      deviceDrift: [
        { ...drifted, drift: drifted.drift.map((one) => ({ ...one, label: 'View', group: null })) },
        notRead,
      ],
    })
  })
  it('reports an unknown golden profile as not found', async () => {
    await expect(run([summary], 'settings', 'drift', 'Desks')).rejects.toMatchObject({
      failure: { kind: 'not-found', what: 'golden profile "Desks"' },
    })
  })
  it('lists values that are not allowed, slice by slice, and counts the devices that are unknown', async () => {
    const printed = await run([], 'settings', 'drift', '--not-allowed')
    expect(printed).toMatch(/D1\s.*zoom=wide is not allowed: The value must be one of: off\.\n.*D3/)
    expect(printed).toContain(
      '2 of 4 devices that can be compared have values that are not allowed. Settings not read: 4. No feature model stored: 1',
    )
    await expect(run([], 'settings', 'drift', 'g1', '--not-allowed')).rejects.toThrow(UsageError)
  })
})
