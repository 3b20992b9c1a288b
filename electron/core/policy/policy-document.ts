import type { z } from 'zod'
import {
  policyMembers,
  policyVersion,
  type PolicyMember,
  type PolicySettings,
} from '../../contract/api/policy.ts'
import { failedWith } from '../../contract/failure.ts'
import { isJsonObject, type Json } from '../../contract/json.ts'
import { draftOfGiven, foldedName } from '../organizations/organizations.ts'
import { JsonFault, parseWithLines, type Place } from './json-lines.ts'

export interface PolicyDocument {
  /** The members that can be used; null: the document cannot be read at all. */
  readonly settings: PolicySettings | null
  /** What is wrong with it, a sentence with file and line; null: nothing. */
  readonly problem: string | null
}

interface Found {
  readonly line: number
  readonly what: string
}

/** Reads an administrator's document: strict JSON in UTF-8, with or without a byte order mark. */
export function parsePolicy(file: string, bytes: Uint8Array): PolicyDocument {
  try {
    const { value, places } = parseWithLines(textOf(bytes))
    if (!isJsonObject(value)) throw new JsonFault('the document must be an object', 1)
    const { settings, found } = membersOf(value, lineIn(places))
    const [first] = found.sort((a, b) => a.line - b.line)
    return { settings, problem: first === undefined ? null : problemText(file, first) }
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    return { settings: null, problem: problemText(file, { line: error.line, what: error.message }) }
  }
}

const problemText = (file: string, { line, what }: Found): string => `${file}, line ${line}: ${what}.`

function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || bytes.includes(0))
    throw new JsonFault('the document must be in UTF-8, not in UTF-16', 1)
  try {
    // Drops a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new JsonFault('the document must be in UTF-8', 1)
  }
}

/** The line of a path, else of what contains it. */
const lineIn = (places: readonly Place[]) => {
  const lines = new Map(places.map(({ path, line }) => [path, line]))
  return (path: readonly PropertyKey[]): number => {
    for (let length = path.length; length > 0; length--) {
      const line = lines.get(path.slice(0, length).map(String).join('.'))
      if (line !== undefined) return line
    }
    return 1
  }
}

function membersOf(
  document: Readonly<Record<string, Json>>,
  lineOf: (path: readonly PropertyKey[]) => number,
): { readonly settings: PolicySettings; readonly found: Found[] } {
  const settings: Partial<Record<PolicyMember, unknown>> = {}
  const found: Found[] = []
  const { optional } = document
  const mayBeUnknown = (name: string): boolean => Array.isArray(optional) && optional.includes(name)
  for (const [name, value] of Object.entries(document)) {
    if (!isMember(name)) {
      if (!mayBeUnknown(name))
        found.push({ line: lineOf([name]), what: `${JSON.stringify(name)} is not known to this version` })
      continue
    }
    const schema: z.ZodType = policyMembers.shape[name]
    const parsed = schema.safeParse(value)
    if (parsed.success) settings[name] = parsed.data
    else
      for (const issue of parsed.error.issues) {
        const path = [name, ...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys : [])]
        found.push({ line: lineOf(path), what: `${nameOf(path)} ${mustBe(issue)}` })
      }
  }
  if (document['policy'] === undefined)
    found.push({ line: 1, what: `"policy" is missing: it must be ${policyVersion}` })
  found.push(...organizationFaults(settings as PolicySettings, lineOf))
  return { settings: settings as PolicySettings, found }
}

const isMember = (name: string): name is PolicyMember => Object.hasOwn(policyMembers.shape, name)
const nameOf = (path: readonly PropertyKey[]): string => JSON.stringify(path.map(String).join('.'))

/** Never repeats the value: it may be the sign-in of a proxy. */
function mustBe(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? issue.expected}`
    case 'too_small':
      return `must be at least ${issue.minimum}`
    case 'too_big':
      return issue.origin === 'number' || issue.origin === 'int'
        ? `must be at most ${issue.maximum}`
        : `is longer than ${issue.maximum}`
    case 'unrecognized_keys':
      return 'is not known to this version'
    default:
      return `must be ${issue.message}`
  }
}

const typeNames: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a whole number',
  string: 'a text',
  array: 'a list',
  object: 'an object',
}

function organizationFaults(
  { organizations = [] }: PolicySettings,
  lineOf: (path: readonly PropertyKey[]) => number,
): readonly Found[] {
  const names = new Set<string>()
  return organizations.flatMap((given, index) => {
    const place = ['organizations', index]
    const named = foldedName(given.name)
    if (names.has(named))
      return { line: lineOf([...place, 'name']), what: `two organizations have the same name` }
    names.add(named)
    try {
      draftOfGiven(given)
      return []
    } catch (error) {
      if (!failedWith(error, 'invalid')) throw error
      const { field, message } = error.failure
      const path = [...place, field]
      return { line: lineOf(path), what: `${nameOf(path)}: ${message.replace(/\.$/, '')}` }
    }
  })
}
