import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PrereleaseStage } from '../../../electron/contract/firmware.ts'
import type { Json } from '../../../electron/contract/json.ts'
import { inOrder, latestOf, complianceOf } from '../../../electron/core/firmware/releases.ts'
import { releaseOf, type PublishedRelease } from '../../../electron/core/metadata/release-json.ts'

const published = (
  ...releases: readonly (string | { version: string; revoked?: boolean; md5Checksum?: string })[]
): PublishedRelease[] => releases.flatMap((release) => releaseOf(release) ?? [])
const visible = (releases: readonly PublishedRelease[], catalogue: readonly PublishedRelease[] = []) =>
  inOrder(releases, catalogue).map(
    (release) => `${release.version}${release.latest ? ' latest' : ''}${release.revoked ? ' revoked' : ''}`,
  )

describe('releases', () => {
  it.each([
    [
      'newest first, number by number',
      published('4.2.0.9', '4.10.0', '4.2.0.21'),
      ['4.10.0 latest', '4.2.0.21', '4.2.0.9'],
    ],
    [
      'revoked is never the latest',
      published('1.0.0', { version: '2.0.0', revoked: true }),
      ['2.0.0 revoked', '1.0.0 latest'],
    ],
    ['all revoked: no latest', published({ version: '1.0.0', revoked: true }), ['1.0.0 revoked']],
    ['an invalid version is last and never the latest', published('next', '1.0.0'), ['1.0.0 latest', 'next']],
    ['the same release twice is one release', published('1.0.0', '1.0.0'), ['1.0.0 latest']],
    ['none', [], []],
  ])('%s', (_, releases, expected) => {
    expect(visible(releases)).toEqual(expected)
  })

  it('keeps one version with two checksums as two releases, one of them the latest', () => {
    const two = published(
      { version: '1.0.0', md5Checksum: 'XUFAKrxLKna5cZ2REBfFkg==' },
      { version: '1.0.0', md5Checksum: 'AAAAAAAAAAAAAAAAAAAAAA==' },
    )
    expect(visible(two)).toEqual(['1.0.0 latest', '1.0.0'])
  })

  it('trusts the catalogue when a release does not say whether it is revoked', () => {
    expect(visible(published('2.0.0', '1.0.0'), published({ version: '2.0.0', revoked: true }))).toEqual([
      '2.0.0 revoked',
      '1.0.0 latest',
    ])
  })

  it.each<[string, readonly Json[], readonly Json[], readonly string[]]>([
    [
      'of a second record',
      [
        { version: '2.0.0', revoked: true, md5: '0a'.repeat(16) },
        { version: '2.0.0', revoked: false, md5: '0a'.repeat(16) },
        '1.0.0',
      ],
      [],
      ['2.0.0 revoked', '1.0.0 latest'],
    ],
    [
      'of a second spelling',
      [{ version: 'v2.0', revoked: true }, { version: '2.0.0', revoked: false }, '1.0.0'],
      [],
      ['v2.0 revoked', '2.0.0 revoked', '1.0.0 latest'],
    ],
    [
      'of the catalogue',
      [{ version: '2.0.0', revoked: false }, '1.0.0'],
      [{ version: '2.0.0', revoked: true }],
      ['2.0.0 revoked', '1.0.0 latest'],
    ],
    [
      'of the catalogue, which also states a checksum',
      [{ version: '2.0.0', revoked: false }, '1.0.0'],
      [{ version: '2.0.0', revoked: true, md5: '0a'.repeat(16) }],
      ['2.0.0 revoked', '1.0.0 latest'],
    ],
    [
      'of the catalogue, which states no checksum',
      [{ version: '2.0.0', revoked: false, md5: '0a'.repeat(16) }, '1.0.0'],
      [{ version: '2.0.0', revoked: true }],
      ['2.0.0 revoked', '1.0.0 latest'],
    ],
    [
      'but not of the catalogue with another checksum',
      [{ version: '2.0.0', revoked: false, md5: '0a'.repeat(16) }],
      [{ version: '2.0.0', revoked: true, md5: '0b'.repeat(16) }],
      ['2.0.0 latest'],
    ],
    [
      'but not with another checksum',
      [
        { version: '2.0.0', revoked: true, md5: '0a'.repeat(16) },
        { version: '2.0.0', revoked: false, md5: '0b'.repeat(16) },
      ],
      [],
      ['2.0.0 revoked', '2.0.0 latest'],
    ],
  ])('is revoked by the word %s', (_, own, catalogue, expected) => {
    const releases = (records: readonly Json[]) => records.flatMap((one) => releaseOf(one) ?? [])
    expect(visible(releases(own), releases(catalogue))).toEqual(expected)
  })

  it('a bundle that was revoked does not revoke the firmware in another bundle', () => {
    const inBundle = (version: string, revoked: boolean) =>
      published({ version: '2.0.0', revoked }).map((one) => ({
        ...one,
        bundle: { group: 'g1', version, name: null },
      }))
    expect(visible([...inBundle('1.0.0', true), ...inBundle('1.0.1', false)])).toEqual([
      '2.0.0 latest',
      '2.0.0 revoked',
    ])
  })

  it('a release listed twice has the stage that one of the records states', () => {
    const twice = [{ version: '2.0.0' }, { version: '2.0.0', stage: 'Candidate' }, { version: '1.0.0' }]
    expect(visible(twice.flatMap((one) => releaseOf(one) ?? []))).toEqual(['2.0.0', '1.0.0 latest'])
  })

  it.each<[string, readonly PrereleaseStage[], readonly string[]]>([
    ['public ones alone, unless others are included', [], ['3.1.0', '3.0.0', '2.97.0 latest', '2.96.0']],
    ['Beta included', ['Beta'], ['3.1.0', '3.0.0 latest', '2.97.0', '2.96.0']],
    ['Candidate included', ['Candidate'], ['3.1.0 latest', '3.0.0', '2.97.0', '2.96.0']],
    ['with Test included, if there is none', ['Test'], ['3.1.0', '3.0.0', '2.97.0 latest', '2.96.0']],
    ['all included', ['Candidate', 'Test', 'Beta'], ['3.1.0 latest', '3.0.0', '2.97.0', '2.96.0']],
  ])('includes a stage: %s', (_, included, expected) => {
    const staged = [
      ['3.1.0', 'Candidate'],
      ['3.0.0', ' beta '],
      ['2.97.0', 'Public'],
      ['2.96.0', null],
    ].flatMap(([version, stage]) => releaseOf({ version, stage } as Json) ?? [])
    expect(
      inOrder(staged, [], included).map(({ version, latest }) =>
        latest ? `${version} latest` : String(version),
      ),
    ).toEqual(expected)
  })

  it.each<[string | null, string | null, boolean, boolean]>([
    [null, null, true, false],
    ['Gamma', 'Gamma', true, false],
    ['Stable', 'Stable', true, false],
    ['public', 'public', true, true],
    ['BETA', 'BETA', false, true],
    ['Candidate', 'Candidate', false, true],
    ['Test', 'Test', false, true],
  ])('shows the stage %s as %s; latest: %s; stated: %s', (stage, shownStage, latest, stageStated) => {
    const [one] = inOrder(
      [releaseOf({ version: '1.0.0', stage })].flatMap((release) => release ?? []),
      [],
    )
    expect([one?.stage, one?.latest, one?.stageStated]).toEqual([shownStage, latest, stageStated])
  })

  it('trusts the catalogue when a release does not state its stage', () => {
    const there = [releaseOf({ version: '2.0.0', stage: 'Beta' })].flatMap((release) => release ?? [])
    expect(
      inOrder(published('2.0.0', '1.0.0'), there).map(({ version, latest, stage }) => [
        version,
        latest,
        stage,
      ]),
    ).toEqual([
      ['2.0.0', false, 'Beta'],
      ['1.0.0', true, null],
    ])
  })

  it('has at most one latest, the greatest that is not revoked, for any releases', () => {
    const release = fc.record({
      version: fc.oneof(fc.constantFrom('1.2.0', '1.10.0', '4.2.0.9', 'x', '1.2'), fc.string()),
      revoked: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(release, { maxLength: 8 }), (records) => {
        const list = inOrder(published(...records), [])
        const latest = list.filter((one) => one.latest)
        expect(latest.length).toBeLessThanOrEqual(1)
        expect(latest.every((one) => !one.revoked)).toBe(true)
        expect(latest[0]?.version ?? null).toBe(latestOf(published(...records))?.version ?? null)
      }),
    )
  })
})

describe('the firmware status of a device', () => {
  const list = inOrder(
    published(
      '1.0.0',
      '1.2.0',
      '1.10.0',
      { version: '1.9.0', revoked: true },
      { version: '0.9.0', revoked: true },
    ),
    [],
  )
  it.each([
    ['1.10.0', { kind: 'current', latest: '1.10.0' }],
    ['1.10', { kind: 'current', latest: '1.10.0' }],
    ['1.2.0', { kind: 'behind', latest: '1.10.0', by: 1 }],
    ['1.0.0', { kind: 'behind', latest: '1.10.0', by: 2 }],
    ['0.1.0', { kind: 'behind', latest: '1.10.0', by: 3 }],
    ['1.9.0', { kind: 'revoked', latest: '1.10.0' }],
    ['2.0.0', { kind: 'ahead', latest: '1.10.0' }],
  ])('%s', (installed, expected) => {
    expect(complianceOf(installed, list)).toEqual(expected)
  })

  it('counts one version with two checksums once', () => {
    const two = published(
      '1.0.0',
      { version: '2.0.0', md5Checksum: 'XUFAKrxLKna5cZ2REBfFkg==' },
      { version: '2.0.0' },
    )
    expect(complianceOf('1.0.0', inOrder(two, []))).toEqual({ kind: 'behind', latest: '2.0.0', by: 1 })
  })

  it('is not revoked if only one of two files of its version is', () => {
    const two = published(
      { version: '2.0.0', md5Checksum: 'XUFAKrxLKna5cZ2REBfFkg==', revoked: true },
      { version: '2.0.0', revoked: false },
      '1.0.0',
    )
    expect(complianceOf('2.0.0', inOrder(two, []))).toEqual({ kind: 'current', latest: '2.0.0' })
  })

  it('is behind by the versions up to the approved one', () => {
    const all = inOrder(published('5.0.0', '4.0.0', '3.0.0', '2.0.0', '1.0.0'), [])
    expect(complianceOf('1.0.0', all, [], '3.0.0')).toEqual({
      kind: 'behind',
      latest: '5.0.0',
      approved: '3.0.0',
      by: 2,
    })
  })

  it('does not count prereleases, and reports a device on a prerelease as ahead', () => {
    const staged = inOrder(
      [
        ['3.1.0', 'Candidate'],
        ['3.0.0', 'Beta'],
        ['2.97.0', 'Public'],
        ['2.96.0', 'Public'],
      ].flatMap(([version, stage]) => releaseOf({ version, stage } as Json) ?? []),
      [],
    )
    expect(['2.97.0', '2.96.0', '3.0.0'].map((installed) => complianceOf(installed, staged))).toEqual([
      { kind: 'current', latest: '2.97.0' },
      { kind: 'behind', latest: '2.97.0', by: 1 },
      { kind: 'ahead', latest: '2.97.0' },
    ])
  })

  it('is unknown when only prereleases are not revoked', () => {
    const staged = inOrder(
      [
        releaseOf({ version: '3.0.0', stage: 'Beta' }),
        releaseOf({ version: '2.0.0', revoked: true }),
      ].flatMap((one) => one ?? []),
      [],
    )
    expect(['1.0.0', '3.0.0', '2.0.0'].map((installed) => complianceOf(installed, staged))).toEqual([
      { kind: 'unknown', why: 'no-public-release' },
      { kind: 'unknown', why: 'no-public-release' },
      { kind: 'revoked', latest: null },
    ])
  })

  it.each<[string, readonly Json[], string]>([
    ['nothing is published', [], 'not-published'],
    ['everything is revoked', [{ version: '2.0.0', revoked: true }], 'all-revoked'],
    [
      'the one release has no version that can be compared',
      [{ version: 'R2 spring', stage: 'Public' }],
      'no-readable-version',
    ],
    [
      'apart from prereleases, only a version that cannot be compared is public',
      [{ version: '3.0.0', stage: 'Beta' }, { version: 'R2 spring' }],
      'no-readable-version',
    ],
    [
      'a version that cannot be compared is a prerelease',
      [{ version: 'R3', stage: 'Beta' }],
      'no-public-release',
    ],
  ])('is unknown when %s, and says so', (_, records, why) => {
    const releases = inOrder(
      records.flatMap((one) => releaseOf(one) ?? []),
      [],
    )
    expect(complianceOf('1.0.0', releases)).toEqual({ kind: 'unknown', why })
  })

  it('is revoked when every release is', () => {
    expect(complianceOf('1.0.0', inOrder(published({ version: '1.0.0', revoked: true }), []))).toEqual({
      kind: 'revoked',
      latest: null,
    })
  })
})
