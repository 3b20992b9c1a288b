import { expect, test } from 'vitest'
import { outputOf } from '../../electron/adapters/system-program.ts'
import { openSystemProxies, systemProxy } from '../../electron/adapters/system-proxy.ts'

const windows = (...lines: string[]): string =>
  [
    '',
    String.raw`HKEY_CURRENT_USER\Software\Microsoft\Windows\CurrentVersion\Internet Settings`,
    ...lines.map((line) => `    ${line}`),
    '',
  ].join('\r\n')
const mac = (...lines: string[]): string =>
  ['<dictionary> {', ...lines.map((line) => `  ${line}`), '}', ''].join('\n')
const gnome = (...lines: string[]): string => lines.map((line) => `org.gnome.system.proxy${line}`).join('\n')

const none = { https: null, http: null, except: [''], hasScript: false }

test.each<[NodeJS.Platform, string, object]>([
  ['win32', windows('ProxyEnable    REG_DWORD    0x0', 'ProxyServer    REG_SZ    proxy:8080'), none],
  [
    'win32',
    windows(
      'ProxyEnable    REG_DWORD    0x1',
      'ProxyServer    REG_SZ    proxy:8080',
      'ProxyOverride    REG_SZ    *.local;<local>',
    ),
    { https: 'proxy:8080', http: 'proxy:8080', except: ['*.local', '<local>'], hasScript: false },
  ],
  [
    'win32',
    windows('ProxyEnable    REG_DWORD    0x1', 'ProxyServer    REG_SZ    http=a:80;https=b:443'),
    { ...none, https: 'b:443', http: 'a:80' },
  ],
  [
    'win32',
    windows('ProxyEnable    REG_DWORD    0x0', 'AutoConfigURL    REG_SZ    http://wpad/proxy.pac'),
    { ...none, hasScript: true },
  ],
  ['darwin', mac('HTTPSEnable : 0'), { ...none, except: [] }],
  [
    'darwin',
    mac(
      'ExceptionsList : <array> {',
      '  0 : *.local',
      '  1 : 169.254/16',
      '}',
      'ExcludeSimpleHostnames : 1',
      'HTTPEnable : 0',
      'HTTPSEnable : 1',
      'HTTPSPort : 8080',
      'HTTPSProxy : proxy.example.com',
    ),
    {
      https: 'proxy.example.com:8080',
      http: null,
      except: ['*.local', '169.254/16', '<local>'],
      hasScript: false,
    },
  ],
  ['darwin', mac('ProxyAutoConfigEnable : 1'), { ...none, except: [], hasScript: true }],
  ['darwin', mac('ProxyAutoDiscoveryEnable : 1'), { ...none, except: [], hasScript: true }],
  [
    'linux',
    gnome(" mode 'none'", ".https host 'proxy'", '.https port 8080', ' ignore-hosts @as []'),
    { ...none, except: [] },
  ],
  [
    'linux',
    gnome(
      " ignore-hosts ['localhost', '127.0.0.0/8', '*.local', 'example.com']",
      " mode 'manual'",
      ".http host ''",
      '.http port 0',
      ".https host 'proxy.example.com'",
      '.https port 8080',
    ),
    {
      https: 'proxy.example.com:8080',
      http: null,
      except: ['localhost', '.localhost', '127.0.0.0/8', '*.local', 'example.com', '.example.com'],
      hasScript: false,
    },
  ],
  [
    'linux',
    gnome(" autoconfig-url 'http://wpad/proxy.pac'", " mode 'auto'"),
    { ...none, except: [], hasScript: true },
  ],
])('reads what %s says: %s', async (platform, said, settings) => {
  expect(await systemProxy(platform, async () => said)).toEqual(settings)
})

test('asks the programs of the system by their full paths', async () => {
  const asked: unknown[] = []
  const ask = async (program: string, words: readonly string[]) => {
    asked.push([program, ...words])
    return null
  }
  expect([await systemProxy('darwin', ask), await systemProxy('linux', ask), asked]).toEqual([
    null,
    null,
    [
      ['/usr/sbin/scutil', '--proxy'],
      ['/usr/bin/gsettings', 'list-recursively', 'org.gnome.system.proxy'],
    ],
  ])
})

test('asks once, and exempts what the system exempts', async () => {
  let asked = 0
  const choose = openSystemProxies(async () => {
    asked++
    return { https: 'b:443', http: 'a:80', except: ['*.local'], hasScript: true }
  })
  expect([
    await choose(new URL('https://example.com')),
    await choose(new URL('http://example.com')),
    await choose(new URL('https://a.local')),
    asked,
  ]).toEqual([
    { proxy: 'b:443', hasScript: true },
    { proxy: 'a:80', hasScript: true },
    { proxy: null, hasScript: false },
    1,
  ])
})

test.each([
  ['is not there', '/nonexistent/program', []],
  ['fails', process.execPath, ['-e', 'process.exit(1)']],
  ['hangs', process.execPath, ['-e', 'setInterval(() => {}, 1000)']],
])('a program that %s says nothing', async (_, program, words) => {
  expect(await outputOf(program, words, 1_000)).toBeNull()
})
