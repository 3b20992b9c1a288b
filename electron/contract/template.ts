/**
 * Endpoints that the specification says exist and does not publish: a profile may name each as `METHOD /path/{deviceId}`.
 * null: not published; the features that need it say so.
 */
export interface EndpointTemplates {
  /** Reads the settings of one device. */
  readonly deviceSettings: string | null
  /** Changes settings of one device. */
  readonly updateDeviceSettings: string | null
  /** Lists devices together with their settings; pages like the device list. */
  readonly devicesWithSettings: string | null
  /** Reads the firmware of one device. */
  readonly firmwareRead: string | null
  /** Starts a firmware update of one device; may name `{firmwareVersion}` too. */
  readonly firmwareUpdate: string | null
}

export type TemplateName = keyof EndpointTemplates

export interface ParsedTemplate {
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Begins with `/`; parameters in braces. */
  readonly path: string
}

/** What a new profile begins with: the paths of another client (observed 4.6); for the others nobody has published one. */
export const observedTemplates: EndpointTemplates = {
  deviceSettings: 'GET /devices/api/devices/{deviceId}/settings',
  updateDeviceSettings: 'PATCH /devices/api/devices/{deviceId}/settings',
  devicesWithSettings: null,
  firmwareRead: null,
  firmwareUpdate: null,
}

interface TemplateRule {
  readonly methods: readonly ParsedTemplate['method'][]
  /** Parameters it must name, each exactly once. */
  readonly needs: readonly string[]
  readonly mayName: readonly string[]
}

/** A reading template may be POST only where it names no device: none of them may ever change one (chosen). */
const rules: Readonly<Record<TemplateName, TemplateRule>> = {
  deviceSettings: { methods: ['GET'], needs: ['deviceId'], mayName: [] },
  updateDeviceSettings: { methods: ['PATCH', 'POST'], needs: ['deviceId'], mayName: [] },
  devicesWithSettings: { methods: ['GET', 'POST'], needs: [], mayName: [] },
  firmwareRead: { methods: ['GET'], needs: ['deviceId'], mayName: [] },
  firmwareUpdate: { methods: ['POST', 'PATCH'], needs: ['deviceId'], mayName: ['firmwareVersion'] },
}

export const templateNames = Object.keys(rules) as readonly TemplateName[]

/** What is wrong with a template, as a sentence; null: nothing. Bounds are chosen. */
export function templateProblem(name: TemplateName, typed: string): string | null {
  const { methods, needs, mayName } = rules[name]
  const text = typed.trim()
  if (text.length > 500) return 'The template is longer than 500 characters.'
  const parsed = parseTemplate(text)
  if (parsed === null)
    return `A template is a method, a space and a path, such as "${methods[0] ?? 'GET'} /devices/${needs.length === 0 ? 'all' : '{deviceId}'}".`
  const { method, path } = parsed
  if (!methods.includes(method)) return `The method must be ${methods.join(' or ')}.`
  if (path.startsWith('//') || /[\s\\#]/.test(path) || !/^[\x21-\x7e]+$/.test(path)) return 'The path must be one address path without spaces, "#" or "\\".'
  if (/(?:^|\/)(?:\.|%2e){1,2}(?:[/?]|$)/i.test(path)) return 'The path must not hold "." or ".." as a segment.'
  if (/[{}]/.test(path.replaceAll(/\{\w+\}/g, ''))) return 'A brace in the path is not closed.'
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter)
  for (const one of named) if (!needs.includes(one) && !mayName.includes(one)) return `The path names {${one}}, which is not known here.`
  for (const one of needs) if (!named.includes(one)) return `The path must name {${one}}.`
  if (new Set(named).size < named.length) return 'The path names a parameter twice.'
  if (needs.length === 0 && /\/reboot\b/i.test(path)) return 'This path restarts a room: it cannot be used for reading.'
  return null
}

/** Method and path of a template as kept; null when it is not one. */
export function parseTemplate(text: string): ParsedTemplate | null {
  const [, method = '', path = ''] = /^([A-Za-z]+) +(\/.*)$/.exec(text.trim()) ?? []
  const known = (['GET', 'POST', 'PATCH'] as const).find((one) => one === method.toUpperCase())
  return known === undefined || path === '' ? null : { method: known, path }
}
