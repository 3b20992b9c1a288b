import { expect, test } from 'vitest'
import { aHomeWith, homeFiles, type HomeFiles } from './prepared-home.ts'
import { Programs } from './programs.ts'

const service = { managementUrl: 'http://127.0.0.1:1', metadataUrl: 'http://127.0.0.1:1', key: '' }
let files: HomeFiles | null = null
/** Of the organizations Nordlys and Acme, the second is the current one. */
async function aFolder(): Promise<Programs> {
  files ??= await homeFiles(service as never, async ({ handlers: { organizations } }) => {
    const { presets } = await organizations.list()
    await organizations.add({ ...presets.find(({ name }) => name === 'demonstration')!.draft, name: 'Acme' })
  })
  return new Programs(aHomeWith(files), service)
}
/** The current one first. */
const namesIn = async (programs: Programs): Promise<readonly string[]> => {
  const { output } = await programs.run(['org', 'list', '--json'])
  const { organizations } = JSON.parse(output) as {
    organizations: readonly { readonly name: string; readonly current: boolean }[]
  }
  return organizations
    .toSorted((one, other) => Number(other.current) - Number(one.current))
    .map(({ name }) => name)
}

test('an organization that is removed as the one to work for ends with 0', async () => {
  const programs = await aFolder()
  expect([
    await programs.run(['org', 'remove', 'Acme', '--yes', '--organization', 'Acme']),
    await namesIn(programs),
  ]).toEqual([{ code: 0, output: 'Removed Acme.\n', errors: '' }, ['Nordlys']])
})

test.each([
  [['org', 'remove', 'Acme', '--yes']],
  [['org', 'use', 'Nordlys']],
  [['org', 'add', 'Fjord', '--preset', 'demonstration']],
  [['org', 'list']],
])('%j for an organization that does not exist changes nothing and ends with 2', async (words) => {
  const programs = await aFolder()
  expect([await programs.run([...words, '--organization', 'Nowhere']), await namesIn(programs)]).toEqual([
    {
      code: 2,
      output: '',
      errors: '--organization: There is no organization "Nowhere".\n',
    },
    ['Acme', 'Nordlys'],
  ])
})
