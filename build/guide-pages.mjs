import { readFileSync } from 'node:fs'
import { noteBudget, noteTree } from '../electron/core/release-notes/note-tree.ts'

/**
 * A page of the guide, `renderer/locales/en/guide/NAME.md`, as a module: `{ title, blocks }` with the elements of a release note. `?about` is
 * what the palette needs, `{ title, words }` with its headings.
 */
export const guidePages = () => ({
  name: 'guide-pages',
  enforce: 'pre',
  load(id) {
    const [file, query] = id.split('?')
    if (!file.endsWith('.md')) return null
    this.addWatchFile(file)
    const { blocks: all } = noteTree(
      readFileSync(file, 'utf8'),
      'markdown',
      'https://guide.invalid/',
      noteBudget(),
    )
    const [title, ...blocks] = all
    const headings = blocks.filter(({ kind }) => kind === 'heading').map(textOf)
    const page = query === 'about' ? { words: headings.join(' ') } : { blocks }
    return `export default ${JSON.stringify({ title: textOf(title), ...page })}`
  },
})

const textOf = ({ content }) => content.map(({ text }) => text).join('')
