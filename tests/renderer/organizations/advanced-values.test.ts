import { describe, expect, it } from 'vitest'
import { advancedText, assumedValues } from '../../../electron/contract/organization.ts'
import { observedTemplates } from '../../../electron/contract/template.ts'
import { settle } from '../core.ts'
import { editing, field, type, updates } from './edited-organization.ts'

const shown = (): Record<string, unknown> => JSON.parse(field('advanced').value) as Record<string, unknown>
const state = (): readonly (string | null | undefined)[] => [
  field('advanced').getAttribute('aria-invalid'),
  document.getElementById(field('advanced').getAttribute('aria-describedby') ?? '')?.textContent.trim(),
]

describe('firmware stages', () => {
  it('are excluded until selected', async () => {
    const opened = await editing()
    const boxes = [
      ...document.querySelectorAll<HTMLInputElement>('[role="dialog"] input[name="includeStages"]'),
    ]
    expect(boxes.map(({ value, checked }) => [value, checked])).toEqual([
      ['Candidate', false],
      ['Test', false],
      ['Beta', false],
    ])
    boxes[2]?.dispatchEvent(new Event('change'))
    await settle()
    await opened.save()
    expect(updates(opened).map(({ includeStages }) => includeStages)).toEqual([['Beta']])
  })
})

describe('what the service does not publish', () => {
  it('is one JSON text, which says what is observed', async () => {
    const { words } = await editing()
    expect(Object.keys(shown())).toEqual(['family', 'vendorId', 'rebootBy', 'templates', 'assumed'])
    expect(words()).toContain('Observed in another app: deviceSettings, updateDeviceSettings.')
  })

  it('is saved member by member: the others stay', async () => {
    const opened = await editing()
    const update = 'POST /devices/{deviceId}/update {"version":"{firmwareVersion}"}'
    const typed = `{"rebootBy": "room-id", "templates": {"firmwareUpdate": ${JSON.stringify(update)}, "deviceSettings": null}}`
    await type('advanced', typed)
    expect(field('advanced').value).toBe(typed)
    await opened.save()
    expect(updates(opened)).toMatchObject([
      {
        rebootBy: 'room-id',
        templates: { ...observedTemplates, deviceSettings: null, firmwareUpdate: update },
        assumed: assumedValues,
      },
    ])
  })

  it('may come from a file with addresses, versions and stages too', async () => {
    const opened = await editing()
    await type('advanced', '{"metadataVersion": 17, "definitionLimit": "14.3.0", "includeStages": ["Beta"]}')
    expect(field('metadataVersion').value).toBe('17')
    await opened.save()
    expect(updates(opened)).toMatchObject([
      { metadataVersion: 17, definitionLimit: '14.3.0', includeStages: ['Beta'] },
    ])
  })

  it.each(['{', '[]', '{"vendorId": "2830"}', '{"name": "Other"}', '{"templates": null}'])(
    'is not sent while it is %s',
    async (text) => {
      const opened = await editing()
      await type('advanced', text)
      await opened.save()
      expect([...state(), updates(opened)]).toEqual([
        'true',
        'This is not JSON with members of a profile and values of the same type.',
        [],
      ])
      expect(field('advanced').value).toBe(text)
    },
  )

  it('emptied, becomes that of the service', async () => {
    const opened = await editing()
    await type('advanced', '{"vendorId": 1, "rebootBy": "room-id"}')
    await type('advanced', '')
    const text = field('advanced').value
    await opened.save()
    expect(updates(opened)).toMatchObject([{ vendorId: 2830, rebootBy: 'group-id' }])
    expect(advancedText(updates(opened)[0]!)).toBe(text)
  })

  it.each([
    ['{"templates": {"firmwareRead": "GET /firmware"}}', 'firmwareRead: The path must name {deviceId}.'],
    ['{"assumed": {"buildTypes": [" "]}}', 'buildTypes: Name at least one build type, such as Release.'],
  ])('shows why the core refuses %s, until it is changed', async (text, why) => {
    const opened = await editing()
    await type('advanced', text)
    await opened.save()
    expect(state()).toEqual(['true', why])
    await type('advanced', '{}')
    expect(state()[0]).toBe('false')
  })
})
