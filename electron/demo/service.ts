import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { Hono } from 'hono'
import { setTimeout as delay } from 'node:timers/promises'
import { operationNamed } from '../contract/operations.ts'
import type { Answer } from './answer.ts'
import { empty, gatewayError, invalidMembers, json, problem, resourceNotFound } from './answer.ts'
import type { Controlled } from './control.ts'
import { controlResponse } from './control.ts'
import type { FaultName, Faults } from './faults.ts'
import { fileResponse } from './file-service.ts'
import type { ArrivalCounts, SlidingWindows } from './limits.ts'
import type { Management } from './management.ts'
import { rateLimitExceeded } from './management.ts'
import type { Metadata } from './metadata.ts'
import { pictureResponse } from './product-pictures.ts'
import { methodsOf, routed, takesBody } from './routes.ts'

interface ServiceDeps extends Controlled {
  readonly management: Management
  readonly metadata: Metadata
  readonly windows: SlidingWindows
  readonly counts: ArrivalCounts
  readonly faults: Faults
  readonly latencyMs: number
  readonly slowMs: number
}

type Wire = { Bindings: HttpBindings }
type Call = Context<Wire>

const supportedVersions: readonly string[] = ['1', '2']
const internalError = 'An error occurred while processing your request.'
const html =
  '<!doctype html><html><head><title>Sign in to continue</title></head><body><h1>Network sign-in</h1><p>Please accept the terms of use.</p></body></html>'

/** The raw path after the base: a parsed one would be decoded, but `%2F` must remain inside its segment. */
const pathAfter = (call: Call, base: string): string => new URL(call.req.url).pathname.slice(base.length)
const queryOf = (call: Call): URLSearchParams => new URL(call.req.url).searchParams

/** The gateway's checks before the backend gets a call: key, then both windows. null: accepted. */
const gateway = (
  call: Call,
  operation: string,
  subjects: readonly string[],
  it: ServiceDeps,
): Answer | null => {
  const key = call.req.header('ocp-apim-subscription-key')
  if (key === undefined || key === '') {
    return gatewayError(
      401,
      'Access denied due to missing subscription key. Make sure to include subscription key when making requests to an API.',
    )
  }
  if (!it.keys.accepts(key, !it.faults.strikes('refuse-primary-key', operation))) {
    return gatewayError(
      401,
      'Access denied due to invalid subscription key. Make sure to provide a valid key for an active subscription.',
    )
  }
  const early = it.windows.arrive(it.now())
  if (early > 0) return rateLimitExceeded(early)
  it.counts.letIn(it.now())
  if (it.faults.strikes('early-429', operation, subjects)) return rateLimitExceeded(2000)
  return null
}

/** The backend's version check (ASP.NET style, documented there). null: supported. */
const versionProblem = (call: Call, operation: string, it: ServiceDeps): Answer | null => {
  const version = call.req.header('api-version')
  if (version === undefined || version === '') {
    return problem(400, 'Unspecified API version', it.management.trace(), {
      code: 'ApiVersionUnspecified',
      detail: 'An API version is required, but was not specified.',
    })
  }
  // Version 2 changed the device list from GET to POST; each version has its own (services.md#B31).
  const only = operationNamed(operation)?.apiVersion ?? null
  if (!supportedVersions.includes(version) || (only !== null && version !== String(only))) {
    return problem(400, 'Unsupported API version', it.management.trace(), {
      code: 'UnsupportedApiVersion',
      detail: `The HTTP resource that matches the request does not support the API version '${version.slice(0, 20)}'.`,
    })
  }
  return null
}

/**
 * The metadata interface has no path of that name, or none for that method (not documented: assumed). The
 * management interface answers 404 to both (services.md#B19).
 */
const noSuchDocument = (call: Call, path: string): Answer => {
  const methods = methodsOf('metadata', path)
  if (methods.length === 0 || methods.includes(call.req.method)) return resourceNotFound()
  return gatewayError(405, 'The method is not allowed for this resource.', { allow: methods.join(', ') })
}

/**
 * A body that is not JSON, or an unexpected body: statuses as the backend's framework returns them (assumed).
 * null: valid.
 */
const bodyProblem = (call: Call, operation: string, body: string, it: ServiceDeps): Answer | null => {
  if (body === '') return null
  if (!takesBody(operation))
    return problem(400, 'Bad Request', it.management.trace(), { detail: 'No request body is expected.' })
  const [type = ''] = (call.req.header('content-type') ?? '').split(';')
  if (/^application\/(?:[\w.-]+\+)?json$/i.test(type.trim())) return null
  return problem(415, 'Unsupported Media Type', it.management.trace(), {
    detail: 'The request body must be application/json.',
  })
}

const respond = (answer: Answer): Response =>
  new Response(answer.body, { status: answer.status, headers: { ...answer.headers } })

/** The server adapter's value for "response already sent". */
const alreadySent = (): Response => new Response(null, { headers: { 'x-hono-already-sent': 'true' } })

const cut = (call: Call, operation: string, it: ServiceDeps): Response => {
  it.counts.answered(operation, 'dropped')
  call.env.incoming.socket.destroy()
  return alreadySent()
}

/**
 * The headers and half of the body are sent, then the connection is cut. An empty body is started in pieces,
 * of which the last is never sent.
 */
const cutMidResponse = (call: Call, operation: string, answer: Answer, it: ServiceDeps): Response => {
  const { outgoing, incoming } = call.env
  // These have no body to cut.
  if (answer.status === 204 || answer.status === 304) return cut(call, operation, it)
  const bytes = Buffer.from(typeof answer.body === 'string' ? answer.body : '')
  it.counts.answered(operation, 'dropped')
  outgoing.writeHead(answer.status, {
    ...answer.headers,
    ...(bytes.length === 0 ? {} : { 'content-length': String(bytes.length) }),
  })
  outgoing.write(bytes.length === 0 ? ' ' : bytes.subarray(0, Math.ceil(bytes.length / 2)), () =>
    incoming.socket.destroy(),
  )
  return alreadySent()
}

/** Faults that affect a response when it is sent. The handler has run by then: a write has happened. */
const onTheWayOut = (
  call: Call,
  operation: string,
  answer: Answer,
  it: ServiceDeps,
  subjects: readonly string[] = [],
): Response => {
  if (
    it.faults.strikes('dropped-connection', operation, subjects) ||
    it.faults.strikes('cut-before-answer', operation, subjects)
  )
    return cut(call, operation, it)
  if (it.faults.strikes('cut-mid-answer', operation, subjects))
    return cutMidResponse(call, operation, answer, it)
  it.counts.answered(operation, answer.status)
  const { body } = answer
  if (answer.status !== 200 || typeof body !== 'string') return respond(answer)
  if (it.faults.strikes('html', operation))
    return respond({ ...answer, headers: { 'content-type': 'text/html; charset=utf-8' }, body: html })
  if (it.faults.strikes('truncated-json', operation))
    return respond({ ...answer, body: body.slice(0, Math.ceil(body.length * 0.6)) })
  if (it.faults.strikes('error-in-200', operation))
    return respond({ ...json({ statusCode: 500, message: 'An unexpected error occurred.' }), status: 200 })
  if (it.faults.strikes('wrong-content-type', operation))
    return respond({
      ...answer,
      headers: { ...answer.headers, 'content-type': 'application/xml; charset=utf-8' },
    })
  return respond(answer)
}

const lateness = (operation: string, it: ServiceDeps, subjects: readonly string[] = []): number =>
  it.latencyMs + (it.faults.strikes('slow', operation, subjects) ? it.slowMs : 0)

/** Refusals that can be requested: nothing was done. null: none was requested. */
const refusal = (operation: string, subjects: readonly string[], it: ServiceDeps): Answer | null => {
  const trace = (): string => it.management.trace()
  if (it.faults.strikes('error-500', operation, subjects)) return problem(500, internalError, trace())
  if (it.faults.strikes('refuse-400', operation, subjects))
    return invalidMembers(trace(), { $: ['The request cannot be carried out for this device.'] })
  // The only documented 403 is for a quota; this one has the form of the gateway (assumed).
  if (it.faults.strikes('refuse-403', operation, subjects))
    return gatewayError(403, 'The subscription may not do this.')
  if (it.faults.strikes('refuse-404', operation, subjects))
    return problem(404, 'Not Found', trace(), { detail: 'It was not found.' })
  return null
}

const inTime = async (ms: number, call: Call): Promise<void> => {
  if (ms > 0) await delay(ms, undefined, { signal: call.req.raw.signal }).catch(() => undefined)
}

const managementCall = async (call: Call, it: ServiceDeps): Promise<Response> => {
  const route = routed('management', call.req.method, pathAfter(call, '/management'))
  if (route === null) {
    const refused = resourceNotFound()
    it.counts.answered('unknown', refused.status)
    return respond(refused)
  }
  const { operation } = route
  const subjects = it.management.subjectsOf(operation, route.parameters)
  if (it.faults.strikes('cut-mid-request', operation, subjects)) return cut(call, operation, it)
  const refused = gateway(call, operation, subjects, it)
  const body = await call.req.text()
  await inTime(lateness(operation, it, subjects), call)
  if (refused !== null) return onTheWayOut(call, operation, refused, it, subjects)
  const answer =
    refusal(operation, subjects, it) ??
    versionProblem(call, operation, it) ??
    bodyProblem(call, operation, body, it) ??
    it.management.answer({ ...route, query: queryOf(call), body, now: it.now() })
  const late = answer.status < 400 && it.faults.strikes('error-500-late', operation, subjects)
  return onTheWayOut(
    call,
    operation,
    late ? problem(500, internalError, it.management.trace()) : answer,
    it,
    subjects,
  )
}

const metadataCall = async (call: Call, it: ServiceDeps): Promise<Response> => {
  const url = new URL(call.req.url)
  const route = url.search === '' ? routed('metadata', call.req.method, pathAfter(call, '/metadata')) : null
  const operation = route?.operation ?? 'unknown'
  if (it.faults.strikes('cut-mid-request', operation)) return cut(call, operation, it)
  await inTime(lateness(operation, it), call)
  if (route === null) {
    const refused =
      url.search === '' ? noSuchDocument(call, pathAfter(call, '/metadata')) : resourceNotFound()
    it.counts.answered(operation, refused.status)
    return respond(refused)
  }
  if (it.faults.strikes('error-500', operation))
    return onTheWayOut(call, operation, gatewayError(500, 'Internal server error'), it)
  const answer = it.metadata.answer(operation, route.parameters)
  const { etag } = answer.headers
  const known =
    call.req
      .header('if-none-match')
      ?.split(',')
      .map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  const unchanged = etag !== undefined && known.some((tag) => tag === etag || tag === '*')
  return onTheWayOut(
    call,
    operation,
    unchanged ? empty(304, { etag, 'cache-control': answer.headers['cache-control'] ?? '' }) : answer,
    it,
  )
}

const fileCall = async (call: Call, it: ServiceDeps): Promise<Response> => {
  await inTime(lateness('DownloadFile', it), call)
  const strikes = (name: FaultName): boolean => it.faults.strikes(name, 'DownloadFile')
  const isCut = [strikes('dropped-connection'), strikes('file-cut')].includes(true)
  const answer = fileResponse(
    {
      method: call.req.method,
      path: pathAfter(call, '/files/'),
      query: queryOf(call),
      header: (name) => call.req.header(name),
    },
    {
      isCut,
      isChanged: strikes('file-changed'),
      missing: strikes('file-short') ? missingBytes : strikes('file-long') ? -missingBytes : 0,
      ignoresRange: strikes('no-range'),
      isLinkOver: strikes('link-expired'),
      pauseMs: strikes('file-slow') ? slowPieceMs : 0,
    },
  )
  const breaks = isCut && answer.body instanceof ReadableStream
  it.counts.answered('DownloadFile', breaks ? 'dropped' : answer.status)
  return breaks ? cutFile(call, answer, answer.body) : respond(answer)
}

const pictureCall = async (call: Call, it: ServiceDeps): Promise<Response> => {
  await inTime(lateness('GetPicture', it), call)
  const answer = pictureResponse(pathAfter(call, '/pictures/'))
  it.counts.answered('GetPicture', answer.status)
  return respond(answer)
}

/** The available bytes are sent completely, then the connection is cut. */
const cutFile = async (
  call: Call,
  { status, headers }: Answer,
  body: ReadableStream<Uint8Array>,
): Promise<Response> => {
  const { outgoing, incoming } = call.env
  outgoing.writeHead(status, { ...headers })
  for await (const piece of body) await new Promise((written) => outgoing.write(piece, written))
  incoming.socket.destroySoon()
  return alreadySent()
}

/** Bytes missing or added in a file of wrong length. Made up. */
const missingBytes = 1_000
/** A megabyte a second, so that a download can be watched. */
const slowPieceMs = 64

const controlCall = async (call: Call, it: ServiceDeps): Promise<Response> => {
  const key = call.req.header('ocp-apim-subscription-key') ?? ''
  if (!it.keys.accepts(key))
    return respond(gatewayError(401, 'Access denied due to invalid subscription key.'))
  return respond(
    await controlResponse(
      {
        method: call.req.method,
        path: pathAfter(call, '/demonstration'),
        query: queryOf(call),
        body: await call.req.text(),
      },
      it,
    ),
  )
}

/** Both interfaces, the firmware files, pictures and the demonstration's control endpoints on one address. */
export const service = (it: ServiceDeps): Hono<Wire> =>
  new Hono<Wire>()
    .all('/management/*', (call) => managementCall(call, it))
    .all('/metadata/*', (call) => metadataCall(call, it))
    .all('/files/*', (call) => fileCall(call, it))
    .get('/pictures/*', (call) => pictureCall(call, it))
    .all('/demonstration/*', (call) => controlCall(call, it))
    .get('/webhooks/:id/validate', (call) => respond(it.webhooks.validate(queryOf(call))))
    .notFound(() => respond(resourceNotFound()))
    .onError(() => respond(gatewayError(500, 'Internal server error')))
