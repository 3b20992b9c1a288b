// Lint rules of this project. Each message says what to do instead.
import { basename } from 'node:path'

const banned = new Set([
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'misc',
  'manager',
  'managers',
  'shared',
  'lib',
])

const bannedNames = {
  meta: {
    type: 'suggestion',
    messages: {
      banned:
        '"{{name}}" does not describe the content: name the file or folder after what it contains (design.md, Names).',
    },
    schema: [],
  },
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
  meta: {
    type: 'suggestion',
    messages: {
      barrel: 'A file that only re-exports is a barrel: import from the file that declares it.',
    },
    schema: [],
  },
  create(context) {
    // A module's main file, named like its folder, is the only entry and may import the files behind it.
    const [folder, file] = context.filename.split(/[\\/]/).slice(-2)
    if (/[\\/]electron[\\/]core[\\/]/.test(context.filename) && file === `${folder}.ts`) return {}
    return {
      Program(node) {
        if (
          node.body.length > 0 &&
          node.body.every(
            (s) =>
              s.type === 'ExportAllDeclaration' || (s.type === 'ExportNamedDeclaration' && s.source !== null),
          )
        ) {
          context.report({ node, messageId: 'barrel' })
        }
      },
    }
  },
}

const realTime = {
  meta: {
    type: 'problem',
    messages: {
      argument: 'new Date() without an argument reads the global clock: use platform.clock.now().',
    },
    schema: [],
  },
  create(context) {
    return {
      'NewExpression[callee.name="Date"][arguments.length=0]': (node) =>
        context.report({ node, messageId: 'argument' }),
    }
  },
}

/** What parses text as markup: members and attributes of a page, and options of its libraries. */
const markup = new Set([
  'innerhtml',
  'outerhtml',
  'insertadjacenthtml',
  'srcdoc',
  'domparser',
  'parsefromstring',
  'createcontextualfragment',
  'sethtml',
  'sethtmlunsafe',
  'parsehtml',
  'parsehtmlunsafe',
  'writeln',
  'v-html',
  'dangerouslysetinnerhtml',
])
const isMarkup = (name) =>
  typeof name === 'string' && markup.has(name.replaceAll(/(?<!^v)-/g, '').toLowerCase())

/** Service text never passes an HTML parser, in templates of .vue files too. */
const noHtmlText = {
  meta: {
    type: 'problem',
    messages: {
      markup:
        '"{{name}}" takes a text for markup, and names come from a service: make elements and set their textContent, or let Vue do so.',
    },
    schema: [],
  },
  create(context) {
    const named = (node, name) => {
      if (isMarkup(name)) context.report({ node, messageId: 'markup', data: { name } })
    }
    const inCode = {
      Identifier: (node) => named(node, node.name),
      Literal: (node) => named(node, node.value),
      TemplateElement: (node) => named(node, node.value.cooked),
      'MemberExpression[property.name="write"]': (node) => {
        const object = node.object.property?.name ?? node.object.name
        if (/document$/i.test(object ?? ''))
          context.report({ node, messageId: 'markup', data: { name: `${object}.write` } })
      },
    }
    const inTemplate = {
      ...inCode,
      'VAttribute[directive=true]': (node) => {
        named(node, `v-${node.key.name.name}`)
        named(node, node.key.argument?.name)
      },
      'VAttribute[directive=false]': (node) => named(node, node.key.name),
    }
    const { defineTemplateBodyVisitor } = context.sourceCode.parserServices
    return defineTemplateBodyVisitor === undefined ? inCode : defineTemplateBodyVisitor(inTemplate, inCode)
  },
}

/** Commands print through Terminal, which shows terminal escapes as text. */
const terminal = {
  meta: {
    type: 'problem',
    messages: {
      raw: 'Print through the Terminal (cli/terminal.ts), which shows terminal escapes as text.',
    },
    schema: [],
  },
  create(context) {
    return {
      "MemberExpression[object.name='process'][property.name=/^std(out|err)$/]": (node) =>
        context.report({ node, messageId: 'raw' }),
    }
  },
}

export default {
  meta: { name: 'local' },
  rules: {
    'banned-names': bannedNames,
    'no-barrel': noBarrel,
    'real-time': realTime,
    'no-html-text': noHtmlText,
    terminal,
  },
}
