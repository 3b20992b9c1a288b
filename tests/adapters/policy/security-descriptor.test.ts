import { expect, test } from 'vitest'
import { ownerAloneWrites } from '../../../electron/adapters/policy/security-descriptor.ts'

const administrators = '(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)'

test.each([
  ['O:BAG:SYD:PAI', `${administrators}(A;OICI;0x1200a9;;;BU)`],
  ['O:SYG:SYD:', administrators],
  ['O:S-1-5-32-544G:DUD:AI', '(A;ID;FA;;;S-1-5-18)(A;ID;FRFX;;;WD)'],
  ['O:BAD:PAI', '(A;OICIIO;GA;;;CO)(A;;FA;;;BA)'],
  ['O:BAG:SYD:PAI', `(D;;FA;;;BG)${administrators}`],
])('%s%s belongs to administrators alone', (owner, list) => {
  expect(ownerAloneWrites(owner + list)).toBe(true)
})

test.each([
  ['', ''],
  ['O:BAG:SY', ''],
  ['O:BAG:SYD:NO_ACCESS_CONTROL', ''],
  ['O:S-1-5-21-1-2-3-1001G:DUD:PAI', administrators],
  ['O:BUG:SYD:PAI', administrators],
  ['O:BAG:SYD:AI', `${administrators}(A;CIID;DCLCRPCR;;;BU)`],
  ['O:BAG:SYD:AI', `${administrators}(A;;0x1301bf;;;AU)`],
  ['O:BAG:SYD:AI', `${administrators}(A;;0x40000000;;;AU)`],
  ['O:BAG:SYD:AI', `${administrators}(A;;FA;;;S-1-5-21-1-2-3-1001)`],
  ['O:BAG:SYD:AI', `${administrators}(A;;WD;;;BU)`],
  ['O:BAG:SYD:AI', `${administrators}(A;;FA;;;CO)`],
  ['O:BAG:SYD:AI', `${administrators}(A;;0xzz;;;BU)`],
  ['O:BAG:SYD:AI', `${administrators}(XA;;FA;;;BU;(WIN://SYSAPPID Contains "x"))`],
])('%s%s may be written by others', (owner, list) => {
  expect(ownerAloneWrites(owner + list)).toBe(false)
})
