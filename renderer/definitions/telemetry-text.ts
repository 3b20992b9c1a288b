import type { TelemetryEvent } from '../../electron/contract/api/metadata.ts'
import { spacedName } from '../../electron/contract/setting-name.ts'
import { text } from '../locales/i18n.ts'
import { formatCount } from '../components/format.ts'

const said = (key: string, named: Record<string, unknown> = {}): string =>
  text(`definitions.telemetry.${key}`, named)

const bounds = (minimum: number | null, maximum: number | null): string => {
  if (minimum !== null && maximum !== null)
    return said('meaning.between', { minimum: formatCount(minimum), maximum: formatCount(maximum) })
  if (maximum !== null) return said('meaning.above', { maximum: formatCount(maximum) })
  if (minimum !== null) return said('meaning.below', { minimum: formatCount(minimum) })
  return said('meaning.noBounds')
}
function levels(ascending: boolean | null, warning: number | null, error: number | null): string {
  const direction = said(`meaning.${ascending === null ? 'changes' : ascending ? 'rises' : 'falls'}`)
  const parts = [
    ...(warning === null ? [] : [said('meaning.warning', { at: formatCount(warning) })]),
    ...(error === null ? [] : [said('meaning.error', { at: formatCount(error) })]),
  ]
  return parts.length === 0 ? `${direction} ${said('meaning.noLevels')}` : `${direction} ${parts.join(' ')}`
}
const methods: ReadonlySet<string> = new Set(['Min', 'Max', 'Average', 'CountTrue', 'CountFalse'])

/** The meaning of an event, in one or two sentences. Unknown values of the service are shown as received. */
export function meaningOf(event: TelemetryEvent): string {
  switch (event.kind) {
    case 'threshold':
      return bounds(event.minimum, event.maximum)
    case 'integer':
      return levels(event.ascending, event.warning, event.error)
    case 'boolean':
      return said(
        `meaning.${event.desired === null ? 'either' : event.desired ? 'wantedTrue' : 'wantedFalse'}`,
      )
    case 'call-summary': {
      const of =
        event.deviceEventType === null ? said('meaning.someEvent') : spacedName(event.deviceEventType)
      if (event.method === null) return said('meaning.summary', { of })
      return methods.has(event.method)
        ? said(`meaning.${event.method}`, { of })
        : said('meaning.summaryBy', { of, method: event.method })
    }
  }
}

export interface ExplainedEvent {
  readonly event: TelemetryEvent
  readonly title: string
  readonly meaning: string
}
export const explainedEvent = (event: TelemetryEvent): ExplainedEvent => ({
  event,
  title: event.name === null ? said('noName') : spacedName(event.name),
  meaning: meaningOf(event),
})

/** Every typed word must be in the event's name, title or meaning, or in the event that it aggregates. */
export function findEvents(events: readonly ExplainedEvent[], words: string): readonly ExplainedEvent[] {
  const parts = words.toLowerCase().split(/\s+/).filter(Boolean)
  return events.filter(({ event, title, meaning }) => {
    const all =
      `${event.name ?? ''} ${title} ${meaning} ${event.kind === 'call-summary' ? `${event.deviceEventType ?? ''} ${event.method ?? ''}` : ''}`.toLowerCase()
    return parts.every((part) => all.includes(part))
  })
}
