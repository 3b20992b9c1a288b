import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { curlOf, powershellOf, type ShellCall } from '../../../electron/core/explorer/shell-text.ts'

const call: ShellCall = {
  method: 'POST',
  url: 'https://api.example/devices/api/devices',
  headers: { 'api-version': '2', 'Cache-Control': 'no-cache', 'Content-Type': 'application/json' },
  body: '{"name":"it\'s ’quoted’ $HOME `x`"}',
  withKey: true,
}

/** What a real shell passes to curl. */
function argumentsOf(text: string): readonly string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${text}`
  return execFileSync('bash', ['--norc', '--noprofile', '-c', script], {
    env: { HEADROOM_KEY: 'the key', LC_ALL: 'C.UTF-8' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
    .split('\0')
    .slice(0, -1)
}

describe('a call as shell text', () => {
  it('puts the key into a variable and quotes everything else, for curl', () => {
    expect(curlOf(call)).toBe(
      [
        "curl --request POST 'https://api.example/devices/api/devices'",
        "--header 'api-version: 2'",
        "--header 'Cache-Control: no-cache'",
        "--header 'Content-Type: application/json'",
        '--header "Ocp-Apim-Subscription-Key: $HEADROOM_KEY"',
        `--data-raw '{"name":"it'\\''s ’quoted’ $HOME \`x\`"}'`,
      ].join(' \\\n  '),
    )
  })

  it('doubles typographic quotes as well, for PowerShell', () => {
    expect(powershellOf(call)).toBe(
      [
        "Invoke-RestMethod -Method Post -Uri 'https://api.example/devices/api/devices'",
        "-Headers @{ 'api-version' = '2'; 'Cache-Control' = 'no-cache'; 'Ocp-Apim-Subscription-Key' = $env:HEADROOM_KEY }",
        "-ContentType 'application/json; charset=utf-8'",
        `-Body '{"name":"it''s ’’quoted’’ $HOME \`x\`"}'`,
      ].join(' `\n  '),
    )
  })

  it('has no key for the metadata interface', () => {
    const read = {
      method: 'GET',
      url: 'https://cdn.example/a.json',
      headers: { Accept: 'application/json' },
      body: null,
      withKey: false,
    }
    expect([curlOf(read), powershellOf(read)]).toEqual([
      "curl 'https://cdn.example/a.json' \\\n  --header 'Accept: application/json'",
      "Invoke-RestMethod -Method Get -Uri 'https://cdn.example/a.json' `\n  -Headers @{ 'Accept' = 'application/json' }",
    ])
  })

  it('passes any value through a real shell to curl unchanged and runs none of it', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 30 }).map((one) => one.replaceAll('\0', ''))
    fc.assert(
      fc.property(text, text, (path, body) => {
        const url = `https://api.example/${encodeURIComponent(path)}`
        expect(
          argumentsOf(curlOf({ method: 'PATCH', url, headers: { 'api-version': '2' }, body, withKey: true })),
        ).toEqual([
          '--request',
          'PATCH',
          url,
          '--header',
          'api-version: 2',
          '--header',
          'Ocp-Apim-Subscription-Key: the key',
          '--data-raw',
          body,
        ])
      }),
      {
        numRuns: 40,
        examples: [
          ["'", "'; touch x; '"],
          ['$(x)', '`x` $HEADROOM_KEY "'],
          ['!', '@file\nsecond line'],
        ],
      },
    )
  })
})
