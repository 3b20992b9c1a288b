import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageAnswer } from '../../electron/main/app-scheme.ts'
import { contentPolicy } from '../../electron/main/our-page.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'headroom-page-'))
  mkdirSync(join(root, 'renderer', 'assets'), { recursive: true })
  mkdirSync(join(root, 'renderer-else'))
  writeFileSync(join(root, 'renderer', 'index.html'), '<title>Headroom</title>')
  writeFileSync(join(root, 'renderer', 'assets', 'a b.js'), 'page')
  for (const outside of ['secret.json', 'renderer-else/secret.json'])
    writeFileSync(join(root, outside), 'secret')
})
afterAll(() => rmSync(root, { recursive: true }))

const asked = async (url: string, method = 'GET'): Promise<readonly [number, string | null, string]> => {
  const answer = await pageAnswer(join(root, 'renderer'), { url, method })
  return [answer.status, answer.headers.get('content-type'), await answer.text()]
}

test('the page is served as it was built, with its policy', async () => {
  const answer = await pageAnswer(join(root, 'renderer'), { url: 'app://headroom/', method: 'GET' })
  expect([await answer.text(), answer.headers.get('content-security-policy')]).toEqual([
    await readFile(join(root, 'renderer/index.html'), 'utf8'),
    contentPolicy,
  ])
})

test('a file of the page is served by its type', async () => {
  expect(await asked('app://headroom/assets/a%20b.js')).toEqual([
    200,
    'text/javascript; charset=utf-8',
    'page',
  ])
})

test.each([
  ['a file above the page', 'app://headroom/..%2fsecret.json'],
  ['a file above the page, with Windows separators', 'app://headroom/..%5csecret.json'],
  ['a file far above the page', 'app://headroom/assets/..%2f..%2f..%2f..%2fetc%2fpasswd'],
  ['a folder whose name begins like the page’s', 'app://headroom/..%2frenderer-else%2fsecret.json'],
  ['the folder of the page itself', 'app://headroom/assets/..%2f'],
  ['a file that is not there', 'app://headroom/none.js'],
  ['a folder', 'app://headroom/assets'],
  ['a path with a zero in it', 'app://headroom/a%00.js'],
  ['another host', 'app://elsewhere/assets/a%20b.js'],
])('%s is 404', async (_, url) => {
  expect(await asked(url)).toEqual([404, 'text/plain;charset=UTF-8', 'not found'])
})

test('nothing but GET is answered', async () => {
  expect((await asked('app://headroom/', 'POST'))[0]).toBe(404)
})

test.each(['app://headroom/%E0%A4%A', 'app://headroom/%', 'app://headroom/%zz/x'])(
  '%s cannot be read: 400',
  async (url) => {
    expect((await asked(url))[0]).toBe(400)
  },
)
