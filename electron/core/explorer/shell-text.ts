/**
 * A call in the form a technician would repeat on a command line. The subscription key is a shell variable,
 * never a value.
 */
export interface ShellCall {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Only the management interface takes a key. */
  readonly withKey: boolean
}

const keyHeader = 'Ocp-Apim-Subscription-Key'

/** For a POSIX shell: everything except the variable in single quotes. */
export function curlOf({ method, url, headers, body, withKey }: ShellCall): string {
  const parts = [
    ['curl', ...(method === 'GET' ? [] : ['--request', method]), quoted(url)].join(' '),
    ...Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(withKey ? [`--header "${keyHeader}: $HEADROOM_KEY"`] : []),
    ...(body === null ? emptyBody(method) : [`--data-raw ${quoted(body)}`]),
  ]
  return parts.join(' \\\n  ')
}

/** A POST without a body states its length: some gateways return 411 without one. */
const emptyBody = (method: string): string[] =>
  method === 'GET' ? [] : ["--data-raw ''", "--header 'Content-Type:'"]

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** For Windows PowerShell 5.1 and later. */
export function powershellOf({ method, url, headers, body, withKey }: ShellCall): string {
  const { 'Content-Type': contentType, ...rest } = headers
  const members = [
    ...Object.entries(rest).map(([name, value]) => `${literal(name)} = ${literal(value)}`),
    ...(withKey ? [`'${keyHeader}' = $env:HEADROOM_KEY`] : []),
  ]
  return [
    `Invoke-RestMethod -Method ${method.charAt(0)}${method.slice(1).toLowerCase()} -Uri ${literal(url)}`,
    ...(members.length === 0 ? [] : [`-Headers @{ ${members.join('; ')} }`]),
    // Without a character set, Windows PowerShell 5.1 sends the body as Latin-1.
    ...(contentType === undefined ? [] : [`-ContentType ${literal(`${contentType}; charset=utf-8`)}`]),
    ...(body === null ? [] : [`-Body ${literal(body)}`]),
  ].join(' `\n  ')
}

/** PowerShell treats typographic quotes as quotes too. */
const literal = (text: string): string => `'${text.replaceAll(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`
