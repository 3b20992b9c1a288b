import { describe, expect, it } from 'vitest'
import {
  observedTemplates,
  parseTemplate,
  templateInUse,
  templateNames,
  templateProblem,
  type TemplateName,
} from '../../electron/contract/template.ts'

describe('a template', () => {
  it.each(templateNames)('%s as observed has no problem', (name) => {
    const template = observedTemplates[name]
    expect(template === null ? null : templateProblem(name, template)).toBeNull()
  })

  it.each<[TemplateName, string]>([
    ['deviceSettings', '  get   /a/{deviceId}?expand=all  '],
    ['updateDeviceSettings', 'POST /a/{deviceId}'],
    ['devicesWithSettings', 'POST /devices/api/devices/settings'],
    ['devicesWithSettings', 'POST /devices/api/devices?with=settings'],
    ['firmwareRead', 'GET /firmware?device={deviceId}'],
    ['firmwareUpdate', 'POST /a/{deviceId}/firmware/{firmwareVersion}'],
    ['firmwareUpdate', 'PATCH /a/{deviceId}'],
    ['firmwareUpdate', 'POST /a/{deviceId} {"to":"{firmwareVersion}"}'],
    ['firmwareUpdate', 'POST /a [{"device":{deviceId},"to":{firmwareVersion}}]'],
  ])('for %s may be "%s"', (name, template) => {
    expect(templateProblem(name, template)).toBeNull()
  })

  it.each<[string, TemplateName, string, string]>([
    [
      'no method',
      'deviceSettings',
      '/a/{deviceId}',
      'A template is a method, a space and a path, such as "GET /devices/{deviceId}".',
    ],
    [
      'a whole address',
      'deviceSettings',
      'GET https://elsewhere.example/{deviceId}',
      'A template is a method, a space and a path, such as "GET /devices/{deviceId}".',
    ],
    [
      'an unknown method',
      'deviceSettings',
      'DELETE /a/{deviceId}',
      'A template is a method, a space and a path, such as "GET /devices/{deviceId}".',
    ],
    ['a writing method for a read', 'deviceSettings', 'PATCH /a/{deviceId}', 'The method must be GET.'],
    ['a query where the page is in the body', 'devicesWithSettings', 'GET /a', 'The method must be POST.'],
    [
      'a reading method for a write',
      'updateDeviceSettings',
      'GET /a/{deviceId}',
      'The method must be PATCH or POST.',
    ],
    [
      'another host',
      'deviceSettings',
      'GET //elsewhere.example/{deviceId}',
      'The path must be one address path without spaces, "#" or "\\".',
    ],
    [
      'a space',
      'deviceSettings',
      'GET /a b/{deviceId}',
      'The path must be one address path without spaces, "#" or "\\".',
    ],
    [
      'a fragment',
      'deviceSettings',
      'GET /a#{deviceId}',
      'The path must be one address path without spaces, "#" or "\\".',
    ],
    [
      'a letter beyond ASCII',
      'deviceSettings',
      'GET /å/{deviceId}',
      'The path must be one address path without spaces, "#" or "\\".',
    ],
    [
      'a way up',
      'deviceSettings',
      'GET /a/../{deviceId}',
      'The path must not contain "." or ".." as a segment.',
    ],
    [
      'an encoded parent folder',
      'deviceSettings',
      'GET /a/%2e%2E/{deviceId}',
      'The path must not contain "." or ".." as a segment.',
    ],
    [
      'a body for a read',
      'firmwareRead',
      'GET /a/{deviceId} {"a":1}',
      'Only the template of a firmware update may name a body.',
    ],
    [
      'a body that is no JSON',
      'firmwareUpdate',
      'POST /a/{deviceId} {"a":}',
      'A template is a method, a space and a path, such as "POST /devices/{deviceId}".',
    ],
    [
      'an unknown parameter in the body',
      'firmwareUpdate',
      'POST /a/{deviceId} {"a":"{groupId}"}',
      'The body names {groupId}, which is not known here.',
    ],
    [
      'another host with a body',
      'firmwareUpdate',
      'POST //elsewhere.example/{deviceId} {"a":1}',
      'The path must be one address path without spaces, "#" or "\\".',
    ],
    [
      'a parent folder with a body',
      'firmwareUpdate',
      'POST /a/../{deviceId} {"a":1}',
      'The path must not contain "." or ".." as a segment.',
    ],
    ['an open brace', 'deviceSettings', 'GET /a/{deviceId', 'A brace in the path is not closed.'],
    ['no device', 'deviceSettings', 'GET /a', 'The path must name {deviceId}.'],
    [
      'an unknown parameter',
      'deviceSettings',
      'GET /a/{deviceId}/{groupId}',
      'The path names {groupId}, which is not known here.',
    ],
    [
      'a parameter twice',
      'deviceSettings',
      'GET /a/{deviceId}/{deviceId}',
      'The path names a parameter twice.',
    ],
    [
      'one device where all are listed',
      'devicesWithSettings',
      'POST /a/{deviceId}',
      'The path names {deviceId}, which is not known here.',
    ],
    [
      'a reboot as a list',
      'devicesWithSettings',
      'POST /meetingrooms/api/meetingrooms/7/reboot',
      'This path restarts a room: it cannot be used for reading.',
    ],
    [
      'too much',
      'deviceSettings',
      `GET /${'a'.repeat(500)}/{deviceId}`,
      'The template is longer than 500 characters.',
    ],
  ])('with %s is rejected with the reason', (_, name, template, problem) => {
    expect(templateProblem(name, template)).toBe(problem)
  })

  it.each([
    'POST /meetingrooms/api/meetingrooms/7/%72eboot',
    'POST /meetingrooms/api/meetingrooms/7/%2572eboot',
    'POST /meetingrooms/api/meetingrooms/7/%252572ebo%256ft',
    'POST /meetingrooms/api/meetingrooms/7/reboot/',
    'POST /meetingrooms/api/meetingrooms/7//reboot',
    'POST /meetingrooms/api/meetingrooms/7%2Freboot',
    'POST /MeetingRooms/API/meetingrooms/7/REBOOT',
    'POST /meetingrooms/api/meetingrooms/7/reboot;v=1',
    'POST /meetingrooms/api/meetingrooms/7/reboot?all=true',
    'POST /meetingrooms/api/meetingrooms/7/re-boot',
    'POST /elsewhere?action=reboot',
  ])(
    'that lists devices with settings and is "%s" is rejected, because it would restart a room',
    (template) => {
      expect(templateProblem('devicesWithSettings', template)).toBe(
        'This path restarts a room: it cannot be used for reading.',
      )
    },
  )

  it.each<[TemplateName, string, string]>([
    [
      'deviceSettings',
      'GET /meetingrooms/api/meetingrooms/{deviceId}/reboot',
      'This path restarts a room: it cannot be used for reading.',
    ],
    [
      'firmwareRead',
      'GET /meetingrooms/api/meetingrooms/1/{deviceId}',
      'This path restarts a room: it cannot be used for reading.',
    ],
    [
      'updateDeviceSettings',
      'POST /meetingrooms/api/meetingrooms/{deviceId}/reboot',
      'This path restarts a room: only the reboot of rooms may use it.',
    ],
    [
      'devicesWithSettings',
      'POST /devices/api/devices/7/settings',
      'A POST to this path changes a device: it cannot be used for reading.',
    ],
    [
      'devicesWithSettings',
      'POST /Devices/api/devices/7/%73ettings/',
      'A POST to this path changes a device: it cannot be used for reading.',
    ],
    [
      'devicesWithSettings',
      'POST /own/7/firm',
      'A POST to this path changes a device: it cannot be used for reading.',
    ],
    [
      'devicesWithSettings',
      'POST /own/7/%2566irm//',
      'A POST to this path changes a device: it cannot be used for reading.',
    ],
    ['devicesWithSettings', 'POST /a/%252e%252e/b', 'The path must not contain "." or ".." as a segment.'],
    ['devicesWithSettings', 'POST /a/..;x/b', 'The path must not contain "." or ".." as a segment.'],
    [
      'devicesWithSettings',
      'POST /%2Felsewhere',
      'The path must be one address path without spaces, "#" or "\\".',
    ],
    [
      'devicesWithSettings',
      'POST /a%250Ab',
      'The path must be one address path without spaces, "#" or "\\".',
    ],
    ['devicesWithSettings', 'POST /a%3Fb', 'The path must be one address path without spaces, "#" or "\\".'],
    ['deviceSettings', 'GET /%7BdeviceId%7D/{deviceId}', 'The path contains an encoded brace.'],
  ])('for %s rejects "%s" in any spelling, when saved and when called', (name, template, problem) => {
    const templates = { ...observedTemplates, firmwareUpdate: 'POST /own/{deviceId}/firm', [name]: template }
    expect(templateProblem(name, template, templates)).toBe(problem)
    expect(() => templateInUse(name, templates)).toThrow(
      expect.objectContaining({ failure: { kind: 'invalid', field: `templates.${name}`, message: problem } }),
    )
  })

  it.each<[TemplateName, string]>([
    ['deviceSettings', 'GET /devices/api/devices/{deviceId}/settings'],
    ['firmwareRead', 'GET /own/{deviceId}/firm'],
    ['devicesWithSettings', 'POST /more/bootstrap?filter=a%20b%23'],
    ['devicesWithSettings', 'POST /devices/api/devices/settings'],
    ['deviceSettings', 'GET /m%C3%B8de/{deviceId}'],
  ])('for %s may be "%s" beside one that writes', (name, template) => {
    const { path, method } = parseTemplate(template) ?? { path: '', method: '' }
    const templates = { ...observedTemplates, firmwareUpdate: 'POST /own/{deviceId}/firm', [name]: template }
    expect(templateInUse(name, templates)).toEqual({ method, path, body: null })
  })

  it('is optional', () => {
    expect([
      templateInUse('firmwareRead', observedTemplates),
      templateInUse('firmwareRead', { ...observedTemplates, firmwareRead: 'x' }),
    ]).toEqual([null, null])
  })

  it('is parsed as method and path', () => {
    expect(parseTemplate('  patch  /a/{deviceId} ')).toEqual({
      body: null,
      method: 'PATCH',
      path: '/a/{deviceId}',
    })
  })
})
