import { expect, test } from '@playwright/test'
import { operationNamed, pathOf } from '../../electron/contract/operations.ts'
import { addOrganization, headroom, type Said } from './headroom.ts'
import { newHome, startService, type Home, type Service } from './program.ts'

let home: Home
let service: Service

// All tests only read.
test.beforeAll(async () => {
  home = newHome()
  service = await startService('--devices', '60', '--rooms', '12')
  expect((await addOrganization(home, service)).code).toBe(0)
})
test.afterAll(async () => {
  await service.end()
  home.remove()
})

const call = (...words: readonly string[]): Promise<Said> =>
  headroom(home, ['call', ...words, '--json'], { key: service.key })

// Every operation: tests/cli/operations.test.ts.
test('call prints the body as the service sent it', async () => {
  const operation = 'GetProductGroupBundles'
  const path = pathOf(operationNamed(operation), { apiVersion: 18 })
  const body = await (await fetch(service.metadataUrl + path)).text()
  expect(await call(operation)).toEqual({ code: 0, output: `${body}\n`, errors: '' })
})

test('an error of the service is printed as received and ends with 3; the failure is on standard error', async () => {
  const said = await call('GetRoom', 'groupId=nowhere')
  expect([
    said.code,
    (JSON.parse(said.output) as { status: number }).status,
    (JSON.parse(said.errors) as { kind: string }).kind,
  ]).toEqual([3, 404, 'not-found'])
})
