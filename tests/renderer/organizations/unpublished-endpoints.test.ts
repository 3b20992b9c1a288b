import { describe, expect, it } from 'vitest'
import { settle } from '../core.ts'
import { editing, field, type, updates } from './edited-organization.ts'

describe('unpublished endpoints', () => {
  it('are shown with the source of their address', async () => {
    await editing()
    expect(
      ['deviceSettings', 'updateDeviceSettings', 'devicesWithSettings', 'firmwareRead', 'firmwareUpdate'].map(
        (name) => field(name).value,
      ),
    ).toEqual([
      'GET /devices/api/devices/{deviceId}/settings',
      'PATCH /devices/api/devices/{deviceId}/settings',
      '',
      '',
      '',
    ])
    const sources = [...document.querySelectorAll('.templates .pill')].map((one) => one.textContent)
    expect(sources).toEqual(['observed', 'observed', 'not published', 'not published', 'not published'])
  })
  it('accept an update with a multi-line JSON body, and its hint lists the placeholders', async () => {
    const opened = await editing()
    await type('firmwareUpdate', 'POST /devices/{deviceId}/update\n{\n  "version": "{firmwareVersion}"\n}')
    const hint = document.getElementById(field('firmwareUpdate').getAttribute('aria-describedby') ?? '')
    expect(hint?.textContent).toBe(
      'Use {deviceId} and {firmwareVersion} as placeholders. You can add a JSON body after the path, such as POST /devices/{deviceId}/update {"version": "{firmwareVersion}"}',
    )
    await opened.save()
    expect(updates(opened).map(({ templates }) => templates.firmwareUpdate)).toEqual([
      'POST /devices/{deviceId}/update\n{\n  "version": "{firmwareVersion}"\n}',
    ])
  })
  it('are saved as typed, trimmed, and empty ones as none', async () => {
    const opened = await editing()
    await type('devicesWithSettings', '  POST /devices/api/settings ')
    await type('deviceSettings', ' ')
    await opened.save()
    expect(updates(opened).map((draft) => draft.templates)).toEqual([
      {
        deviceSettings: null,
        updateDeviceSettings: 'PATCH /devices/api/devices/{deviceId}/settings',
        devicesWithSettings: 'POST /devices/api/settings',
        firmwareRead: null,
        firmwareUpdate: null,
      },
    ])
  })
  it('can be reset to the observed ones', async () => {
    const opened = await editing()
    await type('deviceSettings', 'GET /elsewhere/{deviceId}')
    const restore = [...document.querySelectorAll<HTMLElement>('.templates button')].find(
      (one) => one.textContent?.trim() === 'Use observed path',
    )
    restore?.click()
    await settle()
    await opened.save()
    expect(updates(opened)[0]?.templates.deviceSettings).toBe('GET /devices/api/devices/{deviceId}/settings')
  })
  it('show rejections of the core at their field, and the section opens', async () => {
    const opened = await editing()
    await type('firmwareRead', 'GET /firmware')
    await opened.save()
    const input = field('firmwareRead')
    expect([
      input.getAttribute('aria-invalid'),
      document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent,
    ]).toEqual(['true', 'The path must name {deviceId}.'])
  })
})

describe('the address of a reboot', () => {
  it('uses the group id until the room id is selected', async () => {
    const opened = await editing()
    const ways = [...document.querySelectorAll<HTMLInputElement>('input[name="rebootBy"]')]
    expect(ways.map((one) => [one.value, one.checked])).toEqual([
      ['group-id', true],
      ['room-id', false],
    ])
    ways[1]?.dispatchEvent(new Event('change'))
    await settle()
    await opened.save()
    expect(updates(opened).map((draft) => draft.rebootBy)).toEqual(['room-id'])
  })
})
