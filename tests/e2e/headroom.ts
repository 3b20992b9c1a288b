import { spawn, type ChildProcess } from 'node:child_process'
import { join, resolve } from 'node:path'
import type { OrganizationDraft } from '../../electron/contract/api/organizations.ts'
import type { Home, Service } from './program.ts'

const script = resolve(import.meta.dirname, '../../out/main/cli.js')

export interface Said {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

/**
 * libsecret and its dependencies sometimes print these on a busy machine; they are not messages of the
 * program.
 */
const ofTheSystem = /^\n?\(process:\d+\): G[\w-]+-(?:CRITICAL|WARNING) \*\*: .*\n/gm

interface Given {
  readonly key?: string
  readonly input?: string
  readonly environment?: Readonly<Record<string, string>>
}
export interface Started {
  readonly child: ChildProcess
  readonly said: Promise<Said>
  /** Its messages so far. */
  readonly heard: () => string
}

/** Starts the built command line on a home; the key comes from the environment, as in a script without a keychain. */
export function startHeadroom(home: Home, words: readonly string[], given: Given = {}): Started {
  const child = spawn(process.execPath, [script, ...words], {
    env: {
      ...process.env,
      HEADROOM_HOME: join(home.folder, 'home'),
      HEADROOM_KEY: given.key ?? '',
      ...given.environment,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (output += piece))
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (errors += piece))
  child.stdin.end(given.input ?? '')
  const closed = new Promise<number | null>((settle) => child.once('close', settle))
  return {
    child,
    heard: () => errors,
    said: closed.then((code) => ({ code, output, errors: errors.replaceAll(ofTheSystem, '') })),
  }
}

/** Runs a command to its end. */
export const headroom = (home: Home, words: readonly string[], given: Given = {}): Promise<Said> =>
  startHeadroom(home, words, given).said

/** A command that must succeed; its one JSON document. */
export async function document<T>(home: Home, words: readonly string[], key: string): Promise<T> {
  const said = await headroom(home, [...words, '--json'], { key })
  if (said.code !== 0)
    throw new Error(`headroom ${words.join(' ')} ended with ${String(said.code)}: ${said.errors}`)
  return JSON.parse(said.output) as T
}

/** `advanced`: other values of its profile. */
export const addOrganization = (
  home: Home,
  service: Service,
  advanced: Partial<OrganizationDraft> | { readonly templates: object } = {},
): Promise<Said> =>
  headroom(
    home,
    [
      'org',
      'add',
      'Nordlys',
      '--management-url',
      service.managementUrl,
      '--metadata-url',
      service.metadataUrl,
      '--advanced',
      '-',
    ],
    { input: JSON.stringify({ family: 'Jabra SDK V4', ...advanced }) },
  )
