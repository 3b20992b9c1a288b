import { describe, expect, it } from 'vitest'
import { assumedValues } from '../../../electron/contract/organization.ts'
import { settle } from '../core.ts'
import { editing, field, type, updates } from './edited-organization.ts'

const statesOf = (name: string): readonly (string | null | undefined)[] => {
  const input = field(name)
  return [
    input.getAttribute('aria-invalid'),
    document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent,
  ]
}

describe('firmware stages', () => {
  it('are excluded until selected', async () => {
    const opened = await editing()
    const boxes = [
      ...document.querySelectorAll<HTMLInputElement>('[role="dialog"] input[name="includeStages"]'),
    ]
    expect(boxes.map(({ value, checked }) => [value, checked])).toEqual([
      ['Candidate', false],
      ['Test', false],
      ['Beta', false],
    ])
    boxes[2]?.dispatchEvent(new Event('change'))
    await settle()
    await opened.save()
    expect(updates(opened).map(({ includeStages }) => includeStages)).toEqual([['Beta']])
  })
})

describe('unpublished values', () => {
  it('are text with commas, labelled as assumed', async () => {
    await editing()
    expect(
      ['buildTypes', 'platforms', 'agentTypes'].map((name) => [
        field(name).labels?.[0]?.textContent,
        field(name).value,
      ]),
    ).toEqual([
      ['Build types (assumed)', 'Release, Test, Debug'],
      ['Platforms (assumed)', 'Windows, macOS, Linux, Android, iOS'],
      ['Agent types (assumed)', 'DesktopAgent, RoomAgent'],
    ])
    expect(statesOf('buildTypes')).toEqual([
      'false',
      'Not published. Headroom adds build types it finds in answers.',
    ])
  })

  it('stay as typed during typing, and are saved as a plain list', async () => {
    const opened = await editing()
    await type('buildTypes', 'Candidate, Release,, Candidate, ')
    await type('platforms', '')
    expect(field('buildTypes').value).toBe('Candidate, Release,, Candidate, ')
    await opened.save()
    const [saved] = updates(opened).map((draft) => draft.assumed)
    expect(structuredClone(saved)).toEqual({
      ...assumedValues,
      buildTypes: ['Candidate', 'Release'],
      platforms: [],
    })
  })

  it('need one build type: the field shows it and nothing is sent', async () => {
    const opened = await editing()
    await type('buildTypes', ' , ')
    await opened.save()
    expect([...statesOf('buildTypes'), updates(opened)]).toEqual([
      'true',
      'Enter at least one build type, such as Release.',
      [],
    ])
  })

  it('show rejections of the core at their field until changed', async () => {
    const opened = await editing()
    await type('platforms', 'Win\u2028dows')
    await opened.save()
    expect(statesOf('platforms')).toEqual([
      'true',
      'A value contains a comma, a line break or another control character.',
    ])
    await type('platforms', 'Windows')
    expect(statesOf('platforms')).toEqual(['false', 'Not published. Can be empty.'])
  })
})
