import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assumedValues } from '../../../electron/contract/organization.ts'
import type { OrganizationDraft } from '../../../electron/contract/api/organizations.ts'
import { observedTemplates } from '../../../electron/contract/template.ts'
import { draftProblems, keyProblem } from '../../../renderer/organizations/draft-check.ts'
import { cases } from '../../setup/cases.ts'

const aDraft = (over: Partial<OrganizationDraft> = {}): OrganizationDraft => ({
  name: 'Nordlys A/S',
  preset: 'custom',
  managementUrl: 'https://api.example.com',
  metadataUrl: 'https://cdn.example.com',
  managementVersion: 2,
  metadataVersion: 18,
  family: 'Brand SDK V4',
  vendorId: 2830,
  definitionLimit: null,
  templates: observedTemplates,
  rebootBy: 'group-id',
  assumed: assumedValues,
  includeStages: [],
  ...over,
})

describe('the form of an organization', () => {
  it('has no problem when complete', () => expect(draftProblems(aDraft(), null)).toEqual({}))

  it.each([
    ['', 'addressMissing'],
    ['   ', 'addressMissing'],
    ['api.example.com', 'addressUnreadable'],
    ['ftp://api.example.com', 'addressUnreadable'],
    ['http://api.example.com', 'addressHttp'],
    ['http://127.0.0.1.example.com', 'addressHttp'],
    ['https://user:word@api.example.com', 'addressLogin'],
    ['https://api.example.com?x=1', 'addressExtra'],
    ['https://api.example.com#x', 'addressExtra'],
  ])('rejects the address "%s" as %s', (managementUrl, problem) =>
    expect(draftProblems(aDraft({ managementUrl }), null)).toEqual({ managementUrl: problem }),
  )

  it.each([
    'http://localhost:8080',
    'http://127.0.0.1:9',
    'http://[::1]:80',
    'https://api.example.com/base/',
    ' https://api.example.com ',
  ])('accepts the address "%s"', (managementUrl) =>
    expect(draftProblems(aDraft({ managementUrl }), null)).toEqual({}),
  )

  it('checks no addresses of the demonstration', () =>
    expect(
      draftProblems(aDraft({ preset: 'demonstration', managementUrl: '', metadataUrl: '' }), null),
    ).toEqual({}))

  it('shows advanced values that cannot be read', () =>
    expect(draftProblems(aDraft(), '{')).toEqual({ advanced: 'advancedUnreadable' }))

  it.each([
    [{ name: ' ' }, { name: 'nameMissing' }],
    [{ name: 'x'.repeat(81) }, { name: 'nameLong' }],
    [{ managementVersion: Number.NaN }, { managementVersion: 'versionNumber' }],
    [{ metadataVersion: 1.5 }, { metadataVersion: 'versionNumber' }],
    [{ definitionLimit: 'newest' }, { definitionLimit: 'limitUnreadable' }],
  ] as const)('shows %o at its field', (over, problems) =>
    expect(draftProblems(aDraft(over), null)).toEqual(problems),
  )
})

describe('a pasted subscription key', () => {
  it.each([
    ['', 'keyMissing'],
    [' \n ', 'keyMissing'],
    ['abc def', 'keySpaces'],
    ['abc\tdef', 'keySpaces'],
    ['abcdéf', 'keyCharacters'],
    ['abc\u200bdef', 'keyCharacters'],
    ['  0123456789abcdef  \n', null],
  ])('%j is %s', (key, problem) => expect(keyProblem(key)).toBe(problem))

  it('accepts any single word of printable ASCII as a key, and finds white space inside it', () => {
    const word = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 1,
      maxLength: 64,
    })
    fc.assert(
      fc.property(word, word, fc.constantFrom(' ', '\t', '\n', '\u00a0'), (before, after, gap) => {
        expect([
          keyProblem(before),
          keyProblem(`${gap}${before}${gap}`),
          keyProblem(before + gap + after),
        ]).toEqual([null, null, 'keySpaces'])
      }),
      { numRuns: cases(200) },
    )
  })
})
