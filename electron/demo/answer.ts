/** The response of a handler, before faults and transport. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null
}

export const json = (
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(value),
})

export const empty = (status: number, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers,
  body: null,
})

/** The gateway's error body (services.md#B18). */
export const gatewayError = (
  statusCode: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({
  status: statusCode,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ statusCode, message }),
})

export const resourceNotFound = (): Answer => gatewayError(404, 'Resource not found')

const types: Readonly<Record<number, string>> = {
  400: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
  404: 'https://tools.ietf.org/html/rfc9110#section-15.5.5',
  415: 'https://tools.ietf.org/html/rfc9110#section-15.5.16',
  500: 'https://tools.ietf.org/html/rfc9110#section-15.6.1',
}

/** The backend's error body: problem details (services.md#B18). */
export const problem = (
  status: number,
  title: string,
  traceId: string,
  more: Readonly<Record<string, unknown>> = {},
): Answer => ({
  status,
  headers: { 'content-type': 'application/problem+json; charset=utf-8' },
  body: JSON.stringify({ type: types[status] ?? 'about:blank', title, status, traceId, ...more }),
})

/** Problem details for invalid members: name to texts. */
export const invalidMembers = (
  traceId: string,
  errors: Readonly<Record<string, readonly string[]>>,
): Answer => problem(400, 'One or more validation errors occurred.', traceId, { errors })
