import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageResponse, type Pictures } from '../../electron/main/app-scheme.ts'
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

const id = 'a1'.repeat(32)
const pictures: Pictures = async (wanted) =>
  wanted === id ? { type: 'image/webp', bytes: new TextEncoder().encode('<script>') } : null

const asked = async (url: string, method = 'GET'): Promise<readonly [number, string | null, string]> => {
  const answer = await pageResponse(join(root, 'renderer'), pictures, { url, method })
  return [answer.status, answer.headers.get('content-type'), await answer.text()]
}

test('the page is served as built, with its policy', async () => {
  const answer = await pageResponse(join(root, 'renderer'), pictures, {
    url: 'app://headroom/',
    method: 'GET',
  })
  expect([await answer.text(), answer.headers.get('content-security-policy')]).toEqual([
    await readFile(join(root, 'renderer/index.html'), 'utf8'),
    contentPolicy,
  ])
})

test('a file of the page is served with its type', async () => {
  expect(await asked('app://headroom/assets/a%20b.js')).toEqual([
    200,
    'text/javascript; charset=utf-8',
    'page',
  ])
})

test('a picture is served only as the type in its header', async () => {
  const url = `app://headroom/pictures/${id}`
  const { status, headers } = await pageResponse(root, pictures, { url, method: 'GET' })
  expect([status, Object.fromEntries(headers)]).toEqual([
    200,
    {
      'content-type': 'image/webp',
      'content-security-policy': contentPolicy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
  ])
})

test('an unreadable picture is 404', async () => {
  const broken = () => Promise.reject(new Error('damaged'))
  const url = `app://headroom/pictures/${id}`
  expect((await pageResponse(root, broken, { url, method: 'GET' })).status).toBe(404)
})

test.each([
  ['a picture that is not stored', `app://headroom/pictures/${'b'.repeat(64)}`],
  ['a picture by a path', `app://headroom/pictures/../pictures/${id.toUpperCase()}`],
  ['a picture with an extension', `app://headroom/pictures/${id}.png`],
  ['a file next to pictures', `app://headroom/pictures/..%2f..%2fsecret.json`],
  ['an address as a picture', 'app://headroom/pictures/https%3A%2F%2Fimages.example%2Fa.png'],
  ['a picture of another host', `app://elsewhere/pictures/${id}`],
  ['a file above the page', 'app://headroom/..%2fsecret.json'],
  ['a file above the page, with Windows separators', 'app://headroom/..%5csecret.json'],
  ['a file far above the page', 'app://headroom/assets/..%2f..%2f..%2f..%2fetc%2fpasswd'],
  ['a folder whose name begins like the page’s', 'app://headroom/..%2frenderer-else%2fsecret.json'],
  ['the folder of the page itself', 'app://headroom/assets/..%2f'],
  ['a file that does not exist', 'app://headroom/none.js'],
  ['a folder', 'app://headroom/assets'],
  ['a path with a zero byte', 'app://headroom/a%00.js'],
  ['another host', 'app://elsewhere/assets/a%20b.js'],
])('%s is 404', async (_, url) => {
  expect(await asked(url)).toEqual([404, 'text/plain;charset=UTF-8', 'not found'])
})

test('only GET is accepted', async () => {
  expect((await asked('app://headroom/', 'POST'))[0]).toBe(404)
})

test.each(['app://headroom/%E0%A4%A', 'app://headroom/%', 'app://headroom/%zz/x'])(
  'an unreadable %s is 400',
  async (url) => {
    expect((await asked(url))[0]).toBe(400)
  },
)
