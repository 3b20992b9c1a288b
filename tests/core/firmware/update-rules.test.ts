import { expect, test } from 'vitest'
import { judgedUpdate, type UpdateRule } from '../../../electron/core/firmware/firmware.ts'

const release = (version: string, changes: Partial<UpdateRule['releases'][number]> = {}) => ({
  version,
  revoked: false,
  latest: false,
  ...changes,
})
const rule = (changes: Partial<UpdateRule> = {}): UpdateRule => ({
  name: 'Camera',
  releases: [
    release('3.1.0', { revoked: true }),
    release('3.0.0', { latest: true }),
    release('2.10.0'),
    release('2.9.0'),
  ],
  observedAt: 0,
  downgradeAllowed: true,
  approved: (variant) => (variant === '01-01' ? '2.10.0' : null),
  ...changes,
})
const ofVariant = (type: string): UpdateRule =>
  rule({
    approved: () => null,
    releases: [release('3.0.0', { latest: true, isFor: (variant) => variant === type }), release('2.9.0')],
  })
const strict = rule({ downgradeAllowed: false })

test.each<
  [
    string,
    UpdateRule,
    now: string | null,
    wanted: string,
    allowDowngrade: boolean,
    version: string,
    refusal: string | null,
  ]
>([
  ['a newer release', rule(), '2.9.0', '3.0.0', false, '3.0.0', null],
  ['the latest', rule(), '2.9.0', 'latest', false, '3.0.0', null],
  ['the approved version of its variant', rule(), '2.9.0', 'approved', false, '2.10.0', null],
  ['the approved version first', rule(), '2.9.0', 'advised', false, '2.10.0', null],
  [
    'the latest if none is approved',
    rule({ approved: () => null }),
    '2.9.0',
    'advised',
    false,
    '3.0.0',
    null,
  ],
  ['the same in another spelling', rule(), '2.9', '2.9.0.0', false, '2.9.0', 'as-wanted'],
  ['a revoked version', rule(), '2.9.0', '3.1.0', true, '3.1.0', 'revoked'],
  ['a version of another model', rule(), '2.9.0', '7.7.7', true, '7.7.7', 'no-release'],
  ['a release of another variant', ofVariant('09-09'), '2.9.0', '3.0.0', true, '3.0.0', 'no-release'],
  [
    'the latest if it is of another variant',
    ofVariant('09-09'),
    '2.9.0',
    'latest',
    true,
    'latest',
    'no-release',
  ],
  ['a release of its own variant', ofVariant('01-01'), '2.9.0', 'latest', false, '3.0.0', null],
  ['an invalid version', rule(), '2.9.0', 'newest', true, 'newest', 'no-release'],
  [
    'the approved version if there is none',
    rule({ approved: () => null }),
    '2.9.0',
    'approved',
    true,
    'approved',
    'no-release',
  ],
  [
    'the latest if there is none',
    rule({ releases: [release('3.0.0')] }),
    '2.9.0',
    'latest',
    true,
    'latest',
    'no-release',
  ],
  ['an older version', rule(), '3.0.0', '2.10.0', false, '2.10.0', 'downgrade'],
  [
    'a version published twice, of which one was revoked',
    rule({ releases: [release('2.9.0', { revoked: true }), release('2.9.0')] }),
    '2.8.0',
    '2.9.0',
    false,
    '2.9.0',
    null,
  ],
  ['an older version, confirmed', rule(), '3.0.0', '2.10.0', true, '2.10.0', null],
  [
    'an older version that the catalogue does not allow',
    strict,
    '3.0.0',
    '2.10.0',
    true,
    '2.10.0',
    'no-downgrade',
  ],
  ['an unknown version', strict, null, '3.0.0', false, '3.0.0', 'version-unknown'],
  ['an unreadable version', strict, 'beta', '3.0.0', false, '3.0.0', 'version-unknown'],
  ['an unknown version, confirmed', strict, null, '3.0.0', true, '3.0.0', null],
  ['a device that runs a revoked version', rule(), '3.1.0', '3.0.0', false, '3.0.0', 'downgrade'],
])('%s', (_, by, firmwareVersion, version, allowDowngrade, got, refusal) => {
  expect(judgedUpdate(by, { firmwareVersion, variantType: '01-01' }, { version, allowDowngrade })).toEqual({
    version: got,
    refusal,
  })
})
