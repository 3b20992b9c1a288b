import type { ExplorerOperation, ExplorerParameter } from '../../electron/contract/api/explorer.ts'

export type Values = Readonly<Record<string, string>>
export type ParameterProblem = 'missing' | 'int32' | 'guid' | 'boolean' | 'json'

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
const isInt32 = (text: string): boolean => /^-?\d{1,10}$/.test(text) && Number(text) === (Number(text) | 0)

/** The problem of a typed value; null: valid. The core checks again: this only saves a call. */
export function problemOf(parameter: ExplorerParameter, typed: string | undefined): ParameterProblem | null {
  const text = (typed ?? '').trim()
  if (text === '') return parameter.required ? 'missing' : null
  if (parameter.type === 'int32') return isInt32(text) ? null : 'int32'
  if (parameter.type === 'guid') return guid.test(text) ? null : 'guid'
  if (parameter.type === 'boolean') return text === 'true' || text === 'false' ? null : 'boolean'
  if (parameter.type === 'json') return isJson(text) ? null : 'json'
  return null
}

export const problemsOf = (
  operation: ExplorerOperation,
  values: Values,
): Readonly<Record<string, ParameterProblem>> =>
  Object.fromEntries(
    operation.parameters.flatMap((parameter) => {
      const problem = problemOf(parameter, values[parameter.name])
      return problem === null ? [] : [[parameter.name, problem] as const]
    }),
  )

/** The parameters that are sent: those of the operation, without optional parameters that have no value. */
export const parametersToSend = (operation: ExplorerOperation, values: Values): Values =>
  Object.fromEntries(
    operation.parameters.flatMap(({ name }) => {
      const text = (values[name] ?? '').trim()
      return text === '' ? [] : [[name, text] as const]
    }),
  )

/** The initial values of an operation's parameters: the one typed before, or the only known value. */
/** Suggested values, the profile's value first. */
const ofTheProfile: ReadonlySet<string> = new Set(['vendorId'])
export const valuesFor = (operation: ExplorerOperation, values: Values): Values => ({
  ...values,
  ...Object.fromEntries(
    operation.parameters.flatMap(({ name, required, offered }) => {
      const known = offered.filter((one) => one.source === 'known')
      const [first] = known
      return required &&
        !values[name] &&
        first !== undefined &&
        (known.length === 1 || ofTheProfile.has(name))
        ? [[name, first.value] as const]
        : []
    }),
  ),
})

export interface PathPiece {
  readonly kind: 'literal' | 'filled' | 'open'
  readonly text: string
}

/** The path as it will be requested: known parameters percent-encoded, the others in braces. */
export const pathPieces = (path: string, values: Values): readonly PathPiece[] =>
  path
    .split(/(\{\w+\})/)
    .filter((text) => text !== '')
    .map((text) => {
      const name = /^\{(\w+)\}$/.exec(text)?.[1]
      if (name === undefined) return { kind: 'literal', text }
      const value = (values[name] ?? '').trim()
      return value === '' || !value.isWellFormed()
        ? { kind: 'open', text }
        : { kind: 'filled', text: encodeURIComponent(value) }
    })
