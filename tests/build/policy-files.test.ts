import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { policyMembers } from '../../electron/contract/api/policy.ts'
import { parsePolicy } from '../../electron/core/policy/policy-document.ts'

const root = resolve(import.meta.dirname, '../..')
const { policyFiles } = (await import(join(root, 'build/policy-files.mjs'))) as {
  policyFiles(members: typeof policyMembers, zod: typeof z, page: string): ReadonlyMap<string, string>
}
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const files = policyFiles(policyMembers, z, read('build/rollout.md'))

test.each([...files])('%s is what the schema of the policy says', (path, text) => {
  expect(read(path)).toBe(text)
})

test('each member has a description, and its example is a valid value', () => {
  const examples = Object.entries(policyMembers.shape).map(([name, schema]) => {
    const { description = '', examples: [example] = [] } = z.globalRegistry.get(schema) as {
      description?: string
      examples?: readonly unknown[]
    }
    expect([name, description !== '']).toEqual([name, true])
    return [name, example]
  })
  const text = JSON.stringify(Object.fromEntries(examples))
  expect(parsePolicy('policy.json', Buffer.from(text)).problem).toBe(null)
})

test.each([...files.keys()].filter((path) => /\.(?:admx|adml|mobileconfig)$/.test(path)))(
  'the elements of %s are closed in their order',
  (path) => {
    const text = files.get(path)!.replaceAll(/<!--[^]*?-->|<\?[^]*?\?>|<!DOCTYPE[^>]*>/g, '')
    const open: string[] = []
    for (const [, close, name = '', , empty] of text.matchAll(
      /<(\/)?([\w]+)((?:\s+[\w:]+="[^"<]*")*)\s*(\/)?>/g,
    )) {
      if (close !== undefined) expect(open.pop()).toBe(name)
      else if (empty === undefined) open.push(name)
    }
    expect([open, text.replaceAll(/<[^<>]*>/g, '').includes('<')]).toEqual([[], false])
  },
)
