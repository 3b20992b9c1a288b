import { access, lstat, readlink, symlink, unlink } from 'node:fs/promises'

/** On PATH of every shell of macOS. */
export const linkPath = '/usr/local/bin/headroom'
/** The end of the command's path in every place where Headroom lies. */
const inPackage = '/Contents/Resources/cli/bin/headroom'

/** What happened, or what to do. */
export interface Installed {
  readonly message: string
  readonly detail: string
}

const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`

/** Makes the link to the command line of this program. What is not a link to a Headroom is left as it is. */
export async function installCommandLine(command: string, link: string = linkPath): Promise<Installed> {
  // macOS runs a program that was not moved from a place which it makes for one run.
  if (/^\/Volumes\/|\/AppTranslocation\//.test(command))
    return {
      message: 'Move Headroom to the Applications folder first.',
      detail: 'Open it from there, and choose Install Command Line again.',
    }
  if (
    !(await access(command).then(
      () => true,
      () => false,
    ))
  )
    return {
      message: 'This package has no command line.',
      detail: `${command} is missing. Install Headroom again.`,
    }
  try {
    const found = await lstat(link).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (found !== null) {
      const leadsTo = found.isSymbolicLink() ? await readlink(link) : null
      if (leadsTo === null || !leadsTo.endsWith(inPackage))
        return {
          message: `${link} is another program.`,
          detail: `It was left as it is. The command line of Headroom is ${command}.`,
        }
      if (leadsTo === command) return installed(link)
      await unlink(link)
    }
    await symlink(command, link)
    return installed(link)
  } catch (error) {
    const folder = link.slice(0, link.lastIndexOf('/'))
    return {
      message: `${link} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`,
      detail: `Type this in a terminal:\n\nsudo mkdir -p ${quoted(folder)} && sudo ln -sf ${quoted(command)} ${quoted(link)}`,
    }
  }
}

const installed = (link: string): Installed => ({
  message: 'The command line is installed.',
  detail: `${link} is a link to it. Type headroom help in a terminal.`,
})
