import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { lockReader, lockRules, watchScreenLock } from '../../electron/main/screen-lock.ts'

test.each([
  ['2', '_32'],
  ['c1', 'c1'],
  ['12', '_312'],
  ['a-b', 'a_2db'],
])('the session %s is watched as %s', (id, label) => {
  expect(lockRules(id).every((rule) => rule.includes(`/session/${label}',`))).toBe(true)
})

const changed = (name: string, value: boolean): readonly string[] => [
  'signal time=1 sender=:1.3 -> destination=(null destination) serial=2 path=/org/freedesktop/login1/session/_32; interface=org.freedesktop.DBus.Properties; member=PropertiesChanged',
  '   string "org.freedesktop.login1.Session"',
  '   array [',
  '      dict entry(',
  `         string "${name}"`,
  `         variant             boolean ${value}`,
  '      )',
  '   ]',
]
test.each([
  ['a lock', ['signal serial=2 path=/x; interface=org.freedesktop.login1.Session; member=Lock'], 1],
  ['an unlock', ['signal serial=2 path=/x; interface=org.freedesktop.login1.Session; member=Unlock'], 0],
  ['a locked screen', changed('LockedHint', true), 1],
  ['an unlocked screen', changed('LockedHint', false), 0],
  ['an idle session', changed('IdleHint', true), 0],
  ['a locked and an idle one', [...changed('LockedHint', true), ...changed('IdleHint', true)], 1],
])('of what logind says, %s locks %#', (_, lines, times) => {
  expect(lines.filter(lockReader()).length).toBe(times)
})

test.runIf(process.platform === 'linux')('a lock that logind sends over a real bus is told', async () => {
  const bus = spawn('dbus-daemon', ['--session', '--print-address', '--nofork'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [address] = (await once(createInterface(bus.stdout), 'line')) as [string]
  const environment = { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: address, XDG_SESSION_ID: '2' }
  const lock = (session: string) =>
    spawnSync(
      'dbus-send',
      [
        '--system',
        '--type=signal',
        `/org/freedesktop/login1/session/${session}`,
        'org.freedesktop.login1.Session.Lock',
      ],
      { env: environment },
    ).status
  let told = 0
  const end = watchScreenLock(() => told++, environment)
  // It is told of nothing until it is connected.
  await expect.poll(() => [lock('_32'), told > 0]).toEqual([0, true])
  end()
  bus.kill()
  await once(bus, 'close')
})
