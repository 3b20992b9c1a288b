import { lstat, mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Menu, MenuItem } from 'electron'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { installCommandLine, linkPath } from '../../electron/main/install-command-line.ts'
import { menuTemplate } from '../../electron/main/menu.ts'

let folder: string
let link: string
let command: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headroom-link-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  link = join(folder, 'headroom')
  command = await inApplication('Headroom.app')
})
/** The command line of a program in the folder. */
async function inApplication(name: string): Promise<string> {
  const bin = join(folder, name, 'Contents/Resources/cli/bin')
  await mkdir(bin, { recursive: true })
  await writeFile(join(bin, 'headroom'), '')
  return join(bin, 'headroom')
}

describe("the menu bar of macOS, as the stand-in's menu", () => {
  const { Menu: StandIn } = createRequire(import.meta.url)('../electron-stand-in/desktop.cjs') as {
    readonly Menu: typeof Menu
  }
  const chosen: string[] = []
  const menu = StandIn.buildFromTemplate(
    menuTemplate({
      openPage: (hash) => void chosen.push(hash),
      installCommandLine: () => void chosen.push('command line'),
    }),
  )
  const items = (of: Menu): readonly MenuItem[] =>
    of.items.flatMap((item) => [item, ...(item.submenu ? items(item.submenu) : [])])

  it('installs the command line, and opens preferences and help', () => {
    for (const label of ['Install Command Line', 'Preferences…', 'Headroom Help'])
      items(menu)
        .find((item) => item.label === label)!
        .click()
    expect(chosen).toEqual(['command line', '#/preferences', '#/help'])
  })

  it('has editing, window and quit, and nothing that reloads the page', () => {
    const roles = items(menu).map(({ role }) => role?.toLowerCase())
    expect(roles).toEqual(expect.arrayContaining(['editmenu', 'windowmenu', 'quit', 'hide']))
    expect(roles.filter((role) => /reload|devtools|viewmenu/.test(role ?? ''))).toEqual([])
  })
})

describe('the command line of macOS', () => {
  it('is a link on PATH, and is installed twice without a change', async () => {
    const first = await installCommandLine(command, link)
    expect([first, await installCommandLine(command, link), await readlink(link)]).toEqual([
      {
        message: 'The command line is installed.',
        detail: `${link} is a link to it. Type headroom help in a terminal.`,
      },
      first,
      command,
    ])
    expect(linkPath).toBe('/usr/local/bin/headroom')
  })

  it('replaces the link to a Headroom in another place', async () => {
    await symlink('/Users/ada/Headroom.app/Contents/Resources/cli/bin/headroom', link)
    expect((await installCommandLine(command, link)).message).toBe('The command line is installed.')
    expect(await readlink(link)).toBe(command)
  })

  it('leaves another program as it is', async () => {
    await writeFile(link, 'theirs')
    const file = await installCommandLine(command, link)
    expect([file.message, await readFile(link, 'utf8')]).toEqual([`${link} is another program.`, 'theirs'])
    await rm(link)
    await symlink('/opt/other/headroom', link)
    const other = await installCommandLine(command, link)
    expect([other.message, await readlink(link)]).toEqual([
      `${link} is another program.`,
      '/opt/other/headroom',
    ])
  })

  it('says what to type where the folder is missing, with quotes around what a shell would split', async () => {
    const missing = join(folder, 'no bin', 'headroom')
    const spaced = await inApplication("It's mine.app")
    const { message, detail } = await installCommandLine(spaced, missing)
    expect([message, detail.split('\n').at(-1)]).toEqual([
      `${missing} cannot be written (ENOENT).`,
      `sudo mkdir -p '${join(folder, 'no bin')}' && sudo ln -sf '${spaced.replace("'", "'\\''")}' '${missing}'`,
    ])
  })

  it('is missing in a damaged package', async () => {
    const missing = join(folder, 'Other.app/Contents/Resources/cli/bin/headroom')
    expect(await installCommandLine(missing, link)).toEqual({
      message: 'This package has no command line.',
      detail: `${missing} is missing. Install Headroom again.`,
    })
  })

  it.each(['/Volumes/Headroom', '/private/var/folders/x/T/AppTranslocation/1/d'])(
    'is not linked to a place that goes away: %s',
    async (place) => {
      const { message } = await installCommandLine(
        `${place}/Headroom.app/Contents/Resources/cli/bin/headroom`,
        link,
      )
      expect(message).toBe('Move Headroom to the Applications folder first.')
      await expect(lstat(link)).rejects.toThrow('ENOENT')
    },
  )
})
