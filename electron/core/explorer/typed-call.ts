import { Failed } from '../../contract/failure.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import { pathOf, type OperationParameter } from '../../contract/operations.ts'
import { filledBody, parametersIn } from '../../contract/template.ts'
import type { Callable } from './callable.ts'

/** A call built from typed values: its address and content. */
export interface TypedCall {
  /** After the base address. */
  readonly path: string
  readonly body: Json | null
}

/**
 * Parses typed values according to the types of the parameters. An empty text means "not given". Rejects
 * unknown, missing and malformed ones with Failed `invalid` naming the parameter, and an operation without a
 * published path with `not-found`.
 */
export function typedCall(operation: Callable, typed: Readonly<Record<string, string>>): TypedCall {
  if (operation.path === null)
    throw Failed.notFound(
      `a path for ${operation.name} (not published; you can add one to the organization’s profile)`,
    )
  const known = new Map(operation.parameters.map((parameter) => [parameter.name, parameter]))
  for (const name of Object.keys(typed))
    if (!known.has(name)) throw Failed.invalid(name, `is not a parameter of ${operation.name}`)
  const given = new Map(Object.entries(typed).filter(([, text]) => text !== ''))
  for (const { name, required } of operation.parameters)
    if (required && !given.has(name)) throw Failed.invalid(name, 'is missing')

  const { ownPath, ownBody } = operation
  const inBody = parametersIn(ownBody)
  const isInAddress = (name: string): boolean =>
    known.get(name)?.in !== 'body' && (!inBody.includes(name) || parametersIn(ownPath).includes(name))
  const inAddress = Object.fromEntries([...given].filter(([name]) => isInAddress(name)))
  const path = pathOf(operation, inAddress, ownPath ?? operation.path)
  if (ownBody !== null) return { path, body: filledBody(ownBody, Object.fromEntries(given)) }
  const bodyParameters = operation.parameters.filter((parameter) => parameter.in === 'body')
  if (bodyParameters.length === 0) return { path, body: null }
  const whole = given.get('body')
  if (bodyParameters.length === 1 && bodyParameters[0]?.name === 'body')
    return { path, body: whole === undefined ? null : jsonOf('body', whole) }
  const body: JsonObject = Object.fromEntries(
    bodyParameters.flatMap((parameter) => {
      const text = given.get(parameter.name)
      return text === undefined ? [] : [[parameter.name, valueOf(parameter, text)]]
    }),
  )
  return { path, body }
}

function valueOf({ name, type }: OperationParameter, text: string): Json {
  switch (type) {
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw Failed.invalid(name, 'must be true or false')
      return text === 'true'
    case 'int32': {
      const number = /^-?\d{1,10}$/.test(text.trim()) ? Number(text) : Number.NaN
      if (!(number >= -2_147_483_648 && number <= 2_147_483_647))
        throw Failed.invalid(name, 'must be a whole number that fits 32 bits')
      return number
    }
    case 'json':
      return jsonOf(name, text)
    case 'guid':
    case 'string':
      if (!text.isWellFormed()) throw Failed.invalid(name, 'contains an incomplete character')
      return text
  }
}

export function jsonOf(name: string, text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw Failed.invalid(name, 'must be JSON')
  }
}
