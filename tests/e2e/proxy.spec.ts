import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { openProxy, type RunningProxy } from '../adapters/open-proxy.ts'
import { authority, issued, issuedKey } from '../adapters/own-authority.ts'
import { headroom } from './headroom.ts'
import { startKeyring, type Keyring } from './keyring.ts'
import {
  expectCount,
  expectLanded,
  fillInService,
  newHome,
  startProgram,
  startService,
  type Home,
  type Service,
} from './program.ts'

let home: Home
let service: Service
let front: Server
let proxy: RunningProxy
let keyring: Keyring
let environment: Readonly<Record<string, string>>

// A company: its services at https addresses that only a proxy reaches, with certificates of its own authority.
test.beforeEach(async () => {
  home = newHome()
  service = await startService('--devices', '60', '--rooms', '6')
  keyring = await startKeyring()
  const { port } = new URL(service.managementUrl)
  front = createServer({ cert: issued, key: issuedKey }, (asked, answer) => {
    const { method, url, headers } = asked
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers)
      given.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    asked.pipe(onward)
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  proxy = await openProxy('wants-sign-in', { port: (front.address() as AddressInfo).port })
  const file = join(home.folder, 'authority.pem')
  writeFileSync(file, authority)
  environment = {
    ...keyring.environment,
    NODE_EXTRA_CA_CERTS: file,
    https_proxy: proxy.url,
    HTTPS_PROXY: proxy.url,
    no_proxy: '',
    NO_PROXY: '',
  }
  const inside = (url: string): string => url.replace(new URL(url).origin, 'https://rooms.example.com')
  service = {
    ...service,
    managementUrl: inside(service.managementUrl),
    metadataUrl: inside(service.metadataUrl),
  }
})
test.afterEach(async () => {
  front.closeAllConnections()
  front.close()
  proxy.close()
  await keyring.end()
  await service.end()
  home.remove()
})

test('the window asks once for the sign-in of a proxy and keeps it, for the command line too', async () => {
  const { page, pageErrors, close } = await startProgram(home, environment)
  await fillInService(page, service, 'Nordlys A/S')
  await page.getByLabel('Subscription key', { exact: true }).fill(service.key)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign in to the proxy' })
  await expect(dialog.getByText(`The proxy 127.0.0.1:${proxy.port} requires a sign-in`)).toBeVisible()
  await dialog.getByLabel('User name').fill('known')
  await dialog.getByLabel('Password').fill('secret')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Try again', exact: true }).click()
  await expectLanded(page)
  await expectCount(page, 'devices', 60)
  await close()
  // The command line knows the authority from the system's store.
  const { NODE_EXTRA_CA_CERTS: authorityFile, ...rest } = environment
  const synced = await headroom(home, ['sync', '--json'], {
    environment: { ...rest, SSL_CERT_FILE: authorityFile ?? '' },
  })
  expect([synced.code, synced.errors, Object.keys(keyring.entries()), pageErrors]).toEqual([
    0,
    '',
    expect.arrayContaining(['proxy sign-ins']),
    [],
  ])
})

test('without a sign-in a command ends with 3 and names the proxy', async () => {
  const { managementUrl, metadataUrl } = service
  const addresses = ['--management-url', managementUrl, '--metadata-url', metadataUrl]
  await headroom(home, ['org', 'add', 'Nordlys', '--preset', 'custom', ...addresses], { environment })
  const { code, output, errors } = await headroom(home, ['sync', '--json'], {
    environment,
    key: service.key,
  })
  expect([code, output, JSON.parse(errors)]).toEqual([
    3,
    '',
    {
      kind: 'offline',
      call: { operation: expect.any(String), host: 'rooms.example.com' },
      message: 'none is known',
      via: { host: '127.0.0.1', port: proxy.port },
      reason: 'sign-in-wanted',
      sent: false,
    },
  ])
})
