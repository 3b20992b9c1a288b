// Rules of this house that no package has. Each message says the right way.
import { basename } from 'node:path'

const banned = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'manager', 'managers', 'shared', 'lib'])

const bannedNames = {
  meta: { type: 'suggestion', messages: { banned: '"{{name}}" says nothing: name the file or folder after what it knows (design.md, Names).' }, schema: [] },
  create(context) {
    return {
      Program(node) {
        const parts = context.filename.slice(context.cwd.length + 1).split(/[\\/]/)
        for (const part of parts) {
          const words = basename(part).replace(/\..*$/, '').toLowerCase().split('-')
          const name = words.find((word) => banned.has(word))
          if (name !== undefined) context.report({ node, messageId: 'banned', data: { name: part } })
        }
      },
    }
  },
}

const noBarrel = {
  meta: { type: 'suggestion', messages: { barrel: 'A file that only re-exports is a barrel: import from the file that knows the thing.' }, schema: [] },
  create(context) {
    // A room's face, the file named like its folder, is the one door and may lead to the files behind it.
    const [folder, file] = context.filename.split(/[\\/]/).slice(-2)
    if (/[\\/]electron[\\/]core[\\/]/.test(context.filename) && file === `${folder}.ts`) return {}
    return {
      Program(node) {
        if (node.body.length > 0 && node.body.every((s) => s.type === 'ExportAllDeclaration' || (s.type === 'ExportNamedDeclaration' && s.source !== null))) {
          context.report({ node, messageId: 'barrel' })
        }
      },
    }
  },
}

const realTime = {
  meta: { type: 'problem', messages: { argument: 'new Date() without an argument reads the global clock: use host.clock.now().' }, schema: [] },
  create(context) {
    return {
      'NewExpression[callee.name="Date"][arguments.length=0]': (node) => context.report({ node, messageId: 'argument' }),
    }
  },
}

export default { rules: { 'banned-names': bannedNames, 'no-barrel': noBarrel, 'real-time': realTime } }
