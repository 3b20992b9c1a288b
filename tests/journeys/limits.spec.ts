import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { addOrganization } from './headroom.ts'
import { newHome, startService, type Home, type Service } from './program.ts'

let home: Home
let service: Service

test.beforeEach(async () => {
  home = newHome()
  service = await startService('--devices', '40', '--rooms', '4', '--limits', '20/1,300/30')
})
test.afterEach(async () => {
  await service.end()
  home.remove()
})

/** What a program that makes so many calls at once says of them. */
async function callsOfAProgram(calls: number): Promise<Record<string, number>> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'limit-caller.ts'), String(calls)], {
    env: { ...process.env, HEADROOM_HOME: join(home.folder, 'home'), HEADROOM_KEY: service.key },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (said += piece))
  await new Promise((settle) => child.once('close', settle))
  return JSON.parse(said) as Record<string, number>
}

interface Counts {
  readonly arrivals: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly mostInASecond: number
  readonly mostInAWindow: number
}

// In real time: 1,000 calls through windows of 300 in 30 seconds take a minute and a half.
test('1,000 calls of two programs under one key meet no 429 (R3)', async () => {
  test.setTimeout(240_000)
  expect((await addOrganization(home, service)).code).toBe(0)
  const programs = await Promise.all([callsOfAProgram(500), callsOfAProgram(500)])
  const answer = await fetch(`${service.managementUrl.replace(/management$/, 'demonstration')}/counts`, {
    headers: { 'Ocp-Apim-Subscription-Key': service.key },
  })
  const counts = (await answer.json()) as Counts
  expect({ programs, arrivals: counts.arrivals }).toEqual({ programs: [{ done: 500 }, { done: 500 }], arrivals: { ListDevices: { 200: 1_000 } } })
  expect([counts.mostInASecond <= 20, counts.mostInAWindow <= 300]).toEqual([true, true])
})
