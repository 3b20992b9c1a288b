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
      banned: '"{{name}}" does not describe the content: name the file or folder after what it contains.',
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

const loops = new Set([
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
])

/** The function around a node, and the loops between the two. */
function placeOf(node) {
  const around = []
  let at = node.parent
  for (; at !== null && !/Function|^Program$/.test(at.type); at = at.parent)
    if (loops.has(at.type)) around.push(at)
  return { owner: at, loops: around }
}
const isHandler = ({ parent }) =>
  parent?.type === 'CallExpression' && /^(?:then|catch|finally)$/.test(parent.callee.property?.name ?? '')

/**
 * A response may arrive after that to a later question: only latestResult and resultOf know whether it is
 * still wanted.
 */
const lateState = {
  meta: {
    type: 'problem',
    messages: {
      assigned:
        'After an await this state may belong to a later question: let latestResult or resultOf (components/latest-result.ts) take the answer.',
      compared:
        'A counter that is compared after an await: let latestResult or resultOf (components/latest-result.ts) take the answer.',
    },
    schema: [],
  },
  create(context) {
    const waits = []
    const assigned = []
    const compared = []
    const counters = new Set()
    /** Whether a name is declared outside the function. */
    const isOuter = (identifier, owner) => {
      let scope = context.sourceCode.getScope(identifier)
      while (scope !== null && !scope.set.has(identifier.name)) scope = scope.upper
      return scope === null || scope.block.range[0] < owner.range[0]
    }
    const assignment = (node, target) => {
      const { owner } = placeOf(node)
      let root = target
      while (root.object ?? root.expression) root = root.object ?? root.expression
      if (root !== target && root.type === 'Identifier' && isOuter(root, owner)) assigned.push(node)
      if (target.type === 'Identifier' && /^(?:Update|.*[+-]=)/.test(`${node.type}${node.operator}`))
        counters.add(target.name)
    }
    const isLate = (node) => {
      const place = placeOf(node)
      if (isHandler(place.owner)) return true
      return waits.some(
        (wait) =>
          wait.owner === place.owner &&
          (wait.end <= node.range[1] || wait.loops.some((loop) => place.loops.includes(loop))),
      )
    }
    return {
      AwaitExpression: (node) => waits.push({ ...placeOf(node), end: node.range[1] }),
      'ForOfStatement[await=true]': (node) => {
        const { owner, loops: around } = placeOf(node)
        waits.push({ owner, loops: [node, ...around], end: node.right.range[1] })
      },
      AssignmentExpression: (node) => assignment(node, node.left),
      UpdateExpression: (node) => assignment(node, node.argument),
      BinaryExpression(node) {
        if (/^[!=<>]/.test(node.operator)) compared.push(node)
      },
      'Program:exit'() {
        for (const node of assigned) if (isLate(node)) context.report({ node, messageId: 'assigned' })
        for (const node of compared) {
          const counter = [node.left, node.right].find(({ name }) => counters.has(name))
          const { owner } = placeOf(node)
          if (counter && isOuter(counter, owner) && isLate(node))
            context.report({ node, messageId: 'compared' })
        }
      },
    }
  },
}

/** What several kinds of failure have in common stands in one table, so that a new kind must say it. */
const failureKind = {
  meta: {
    type: 'suggestion',
    messages: {
      compared:
        'What a kind of failure means stands in contract/failure-policy.ts: use policyOf, or isKind and failedWith for one named kind.',
    },
    schema: [],
  },
  create(context) {
    const isKindOfFailure = (node) => {
      const { type, property, object } = node.type === 'ChainExpression' ? node.expression : node
      const name = object?.property?.name ?? object?.name ?? ''
      return type === 'MemberExpression' && property.name === 'kind' && /failure$/i.test(name)
    }
    const compared = (...nodes) => {
      for (const node of nodes) if (isKindOfFailure(node)) context.report({ node, messageId: 'compared' })
    }
    const inCode = {
      'BinaryExpression[operator=/^[!=]==?$/]': (node) => compared(node.left, node.right),
      SwitchStatement: (node) => compared(node.discriminant),
      'CallExpression[callee.property.name=/^(?:includes|has|get)$/]': (node) => compared(...node.arguments),
      'MemberExpression[computed=true]': (node) => compared(node.property),
    }
    const { defineTemplateBodyVisitor } = context.sourceCode.parserServices
    return defineTemplateBodyVisitor === undefined ? inCode : defineTemplateBodyVisitor(inCode, inCode)
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
    'late-state': lateState,
    'failure-kind': failureKind,
  },
}
