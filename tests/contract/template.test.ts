import { describe, expect, it } from 'vitest'
import { observedTemplates, parseTemplate, templateNames, templateProblem, type TemplateName } from '../../electron/contract/template.ts'

describe('a template', () => {
  it.each(templateNames)('%s that is observed has nothing wrong with it', (name) => {
    const template = observedTemplates[name]
    expect(template === null ? null : templateProblem(name, template)).toBeNull()
  })

  it.each<[TemplateName, string]>([
    ['deviceSettings', '  get   /a/{deviceId}?expand=all  '],
    ['updateDeviceSettings', 'POST /a/{deviceId}'],
    ['devicesWithSettings', 'POST /devices/api/devices/settings'],
    ['devicesWithSettings', 'GET /devices/api/devices?with=settings'],
    ['firmwareRead', 'GET /firmware?device={deviceId}'],
    ['firmwareUpdate', 'POST /a/{deviceId}/firmware/{firmwareVersion}'],
    ['firmwareUpdate', 'PATCH /a/{deviceId}'],
  ])('for %s may be "%s"', (name, template) => {
    expect(templateProblem(name, template)).toBeNull()
  })

  it.each<[string, TemplateName, string, string]>([
    ['no method', 'deviceSettings', '/a/{deviceId}', 'A template is a method, a space and a path, such as "GET /devices/{deviceId}".'],
    [
      'a whole address',
      'deviceSettings',
      'GET https://elsewhere.example/{deviceId}',
      'A template is a method, a space and a path, such as "GET /devices/{deviceId}".',
    ],
    ['an unknown method', 'deviceSettings', 'DELETE /a/{deviceId}', 'A template is a method, a space and a path, such as "GET /devices/{deviceId}".'],
    ['a writing method for a read', 'deviceSettings', 'PATCH /a/{deviceId}', 'The method must be GET.'],
    ['a reading method for a write', 'updateDeviceSettings', 'GET /a/{deviceId}', 'The method must be PATCH or POST.'],
    ['another host', 'deviceSettings', 'GET //elsewhere.example/{deviceId}', 'The path must be one address path without spaces, "#" or "\\".'],
    ['a space', 'deviceSettings', 'GET /a b/{deviceId}', 'The path must be one address path without spaces, "#" or "\\".'],
    ['a fragment', 'deviceSettings', 'GET /a#{deviceId}', 'The path must be one address path without spaces, "#" or "\\".'],
    ['a letter beyond ASCII', 'deviceSettings', 'GET /å/{deviceId}', 'The path must be one address path without spaces, "#" or "\\".'],
    ['a way up', 'deviceSettings', 'GET /a/../{deviceId}', 'The path must not hold "." or ".." as a segment.'],
    ['an encoded way up', 'deviceSettings', 'GET /a/%2e%2E/{deviceId}', 'The path must not hold "." or ".." as a segment.'],
    ['an open brace', 'deviceSettings', 'GET /a/{deviceId', 'A brace in the path is not closed.'],
    ['no device', 'deviceSettings', 'GET /a', 'The path must name {deviceId}.'],
    ['an unknown parameter', 'deviceSettings', 'GET /a/{deviceId}/{groupId}', 'The path names {groupId}, which is not known here.'],
    ['a parameter twice', 'deviceSettings', 'GET /a/{deviceId}/{deviceId}', 'The path names a parameter twice.'],
    ['one device where all are listed', 'devicesWithSettings', 'POST /a/{deviceId}', 'The path names {deviceId}, which is not known here.'],
    [
      'a reboot dressed as a list',
      'devicesWithSettings',
      'POST /meetingrooms/api/meetingrooms/7/reboot',
      'This path restarts a room: it cannot be used for reading.',
    ],
    ['too much', 'deviceSettings', `GET /${'a'.repeat(500)}/{deviceId}`, 'The template is longer than 500 characters.'],
  ])('with %s is refused with the reason', (_, name, template, problem) => {
    expect(templateProblem(name, template)).toBe(problem)
  })

  it('is read as method and path', () => {
    expect(parseTemplate('  patch  /a/{deviceId} ')).toEqual({ method: 'PATCH', path: '/a/{deviceId}' })
  })
})
