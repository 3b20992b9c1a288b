import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { hashOf } from '../downloads/a-file-host.ts'

export const aFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-kit-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A kit of these files, by path, in a new folder. `manifest`: overrides in its manifest. */
export function aKitFolder(
  files: Readonly<Record<string, string>>,
  manifest: Readonly<Record<string, unknown>> = {},
): string {
  const folder = aFolder()
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const listed = Object.entries(files).map(([path, text]) => {
    put(path, text)
    return { path, bytes: Buffer.byteLength(text), sha256: hashOf('sha256', Buffer.from(text)) }
  })
  const whole = { kit: 1, complete: true, madeAt: 0, organization: 'Nordlys', files: listed, missing: [] }
  const text = JSON.stringify({ ...whole, ...manifest })
  put('manifest.json', text)
  const sums = { files: listed, ...manifest } as { readonly files: typeof listed }
  put(
    'manifest.sha256',
    [...sums.files, { path: 'manifest.json', sha256: hashOf('sha256', Buffer.from(text)) }]
      .map(({ path, sha256 }) => `${sha256}  ${path}\n`)
      .join(''),
  )
  return folder
}
