import type { Demonstration, DemonstrationOptions } from '../../electron/demo/demonstration.ts'
import { startDemonstration } from '../../electron/demo/demonstration.ts'

/** A Thursday morning in working hours. */
export const morning = Date.UTC(2026, 10, 19, 9, 30)

/** A clock that starts on that morning: which devices are online depends on working hours, so it is the same whenever a test runs. */
export const fromMorning = (): (() => number) => {
  const begunAt = Date.now()
  return () => morning + Date.now() - begunAt
}

export interface Asked {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body parsed as JSON; undefined if it is not JSON. */
  readonly body: unknown
}

export interface Asking {
  readonly it: Demonstration
  /** A management call with key and version 2 by default. */
  readonly manage: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Asked>
  readonly metadata: (path: string, init?: RequestInit) => Promise<Asked>
  readonly control: (method: string, path: string, body?: unknown) => Promise<Asked>
}

const ask = async (url: string, init: RequestInit): Promise<Asked> => {
  const response = await fetch(url, init)
  const text = await response.text()
  const read = (): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      return undefined
    }
  }
  return { status: response.status, headers: response.headers, text, body: read() }
}

/** A running demonstration with a stopped clock, and short ways to call it. `stop` it afterwards. */
export const aDemonstration = async (options: DemonstrationOptions = {}): Promise<Asking> => {
  const it = await startDemonstration({
    devices: 60,
    rooms: 12,
    key: 'demo-key',
    now: () => morning,
    slowMs: 50,
    ...options,
  })
  const send = (
    base: string,
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Asked> =>
    ask(`${base}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  return {
    it,
    manage: (
      method,
      path,
      body,
      headers = {
        'ocp-apim-subscription-key': it.key,
        'api-version': '2',
        'content-type': 'application/json',
      },
    ) => send(it.managementUrl, method, path, body, headers),
    metadata: (path, init = {}) => ask(`${it.metadataUrl}${path}`, init),
    control: (method, path, body) =>
      send(it.managementUrl.replace(/management$/, 'demonstration'), method, path, body, {
        'ocp-apim-subscription-key': it.key,
      }),
  }
}

export const devicesPath = '/devices/api/devices'
export const roomsPath = '/meetingrooms/api/meetingrooms'

export interface PageBody {
  readonly items: readonly Record<string, unknown>[]
  readonly continuationToken?: string | null
}

/** Every page of a list to its end. */
export const allPages = async (
  asking: Asking,
  path: string,
  request: Record<string, unknown>,
): Promise<PageBody[]> => {
  const pages: PageBody[] = []
  let token: string | null | undefined
  do {
    const answer = await asking.manage(
      'POST',
      path,
      token ? { ...request, continuationToken: token } : request,
    )
    if (answer.status !== 200) throw new Error(`page ${pages.length + 1} answered ${answer.status}`)
    const page = answer.body as PageBody
    pages.push(page)
    token = page.continuationToken
  } while (token)
  return pages
}
