'use strict'
// The import directions, checked by dependency-cruiser. Each comment says what to do instead. tests/build/directions.test.ts plants a violation
// of every rule.

const feature = '^electron/core/(?!(?:call-budget|lists|service-client|storage)/)([^/]+)/'
// The main file of a folder is named like the folder.
const face = '^electron/core/([^/]+)/\\1\\.ts$'
const page =
  '^renderer/(?!(?:components|failures|styles|writes|settings|notes|approvals|filter|lists|subjects|tasks|pictures|locales|layout)/)([^/]+)/'
const notTests = { pathNot: '^tests/' }

const rules = [
  {
    name: 'contract-imports-itself',
    comment:
      'The contract imports itself and zod: move what it needs into electron/contract, or the logic into electron/core. Only time-zone.ts imports the library of time zones.',
    from: { path: '^electron/contract/', pathNot: '^electron/contract/time-zone\\.ts$' },
    to: { pathNot: ['^electron/contract/', '(^|/)node_modules/zod/', '^zod(/|$)'] },
  },
  {
    name: 'time-zones-in-one-file',
    comment:
      'Only contract/time-zone.ts calculates with time zones, by its library: use or add a function there.',
    from: { path: '^(electron|renderer)/', pathNot: '^electron/contract/time-zone\\.ts$' },
    to: { path: '(^|/)node_modules/@internationalized/date/' },
  },
  {
    name: 'time-zone-needs-only-its-library',
    comment: 'time-zone.ts imports only its library: put other code into the core.',
    from: { path: '^electron/contract/time-zone\\.ts$' },
    to: { pathNot: '(^|/)node_modules/@internationalized/date/' },
  },
  {
    name: 'schemas-stay-out-of-the-page',
    comment:
      'Arguments are checked by the server: renderer and preload import contract/api as types only, and neither zod nor rpc-server.ts (an end-to-end test reads the bundle).',
    from: { path: '^(renderer|electron/preload)/' },
    to: {
      path: [
        '^electron/contract/(api|argument-parts|method|rpc-server)\\.ts$',
        '^electron/contract/api/',
        '(^|/)node_modules/zod/',
        '^zod(/|$)',
      ],
      dependencyTypesNot: ['type-only', 'type-import'],
    },
  },
  {
    name: 'only-main-and-preload-know-electron',
    comment:
      'Only electron/main and electron/preload import electron: pass what you need through core/platform.ts or the contract.',
    from: { path: '^(electron|renderer)/', pathNot: '^electron/(main|preload)/' },
    to: { path: ['(^|/)node_modules/electron/', '^electron$'] },
  },
  {
    name: 'core-knows-no-platform',
    comment:
      'The core imports the contract, Node and its libraries: declare what it needs in core/platform.ts; the platform provides it.',
    from: { path: '^electron/core/' },
    to: { path: '^(electron/(adapters|main|preload|cli|demo)|renderer|build)/' },
  },
  {
    name: 'adapters-know-core-and-contract',
    comment:
      'An adapter implements an interface of core/platform.ts: it imports only core and contract, and platforms import it.',
    from: { path: '^electron/adapters/' },
    to: { path: '^(electron/(main|preload|cli|demo)|renderer|build)/' },
  },
  {
    name: 'main-is-a-platform-of-its-own',
    comment:
      'Platforms do not import each other: move what main and another one share to electron/adapters or electron/core. The demonstration is started as a process.',
    from: { path: '^electron/main/' },
    to: { path: '^(electron/(preload|cli|demo)|renderer|build)/' },
  },
  {
    name: 'cli-is-a-platform-of-its-own',
    comment:
      'Platforms do not import each other: move what the command line and another one share to electron/adapters or electron/core. The demonstration is started as a process.',
    from: { path: '^electron/cli/' },
    to: { path: '^(electron/(main|preload|demo)|renderer|build)/' },
  },
  {
    name: 'cli-is-a-client-of-the-contract',
    comment:
      'Commands run in another process than the core: own-core.ts alone starts one; what a command needs is a method of the contract.',
    from: { path: '^electron/cli/', pathNot: '^electron/cli/own-core\\.ts$' },
    to: { path: '^electron/core/', dependencyTypesNot: ['type-only', 'type-import'] },
  },
  {
    name: 'preload-carries-the-contract',
    comment: 'The preload passes calls of the contract to ipcRenderer and imports no other file of Headroom.',
    from: { path: '^electron/preload/' },
    to: { path: '^(electron|renderer|build)/', pathNot: '^electron/(contract|preload)/' },
  },
  {
    name: 'demo-knows-only-the-operations',
    comment:
      'The demonstration is a service like the real ones: of the app it imports only contract/operations.ts.',
    from: { path: '^electron/demo/' },
    to: {
      path: '^(electron|renderer|build)/',
      pathNot: ['^electron/demo/', '^electron/contract/operations\\.ts$'],
    },
  },
  {
    name: 'renderer-knows-only-the-contract',
    comment:
      'The renderer imports only the contract: call the core through renderer/api.ts, and add a missing method to contract/api.',
    from: { path: '^renderer/' },
    to: { path: '^(electron|build)/', pathNot: '^electron/contract/' },
  },
  {
    name: 'renderer-runs-in-a-page',
    comment: 'The renderer is a sandboxed page without Node: get what you need from the core by a call.',
    from: { path: '^renderer/' },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'stores-hold-the-api',
    comment:
      'Only *-store.ts and main.ts import api.ts: a component receives props and emits events; its store makes the calls.',
    from: { path: '^renderer/', pathNot: ['-store\\.ts$', '^renderer/main\\.ts$', '^renderer/api\\.ts$'] },
    to: { path: '^renderer/api\\.ts$', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'features-meet-at-their-faces',
    comment:
      'A feature imports another only through its main file, which is named like its folder: export what you need there, or receive it as a parameter.',
    from: { path: feature },
    to: { path: feature, pathNot: ['^electron/core/$1/', face] },
  },
  {
    name: 'foundations-know-no-feature',
    comment:
      'service-client, call-budget, lists and storage are used by every feature and import none: pass what they need as a parameter.',
    from: { path: '^electron/core/(call-budget|lists|service-client|storage)/' },
    to: { path: feature },
  },
  {
    name: 'pages-stay-in-their-folder',
    comment:
      "A page uses its own files, components, failures, styles, writes, settings, notes, approvals, filter, lists, tasks, and another page's store: share a component by moving it to renderer/components, without terms of one page.",
    from: { path: page },
    to: { path: page, pathNot: ['^renderer/$1/', '-store\\.ts$'] },
  },
  {
    name: 'components-know-no-domain',
    comment:
      'Components are used by every page: they import no page, no layout and no link. Pass texts as props.',
    from: { path: '^renderer/(components|failures|styles|writes)/' },
    to: {
      path: ['^renderer/(?!(?:components|failures|styles|writes|locales)/)[^/]+/', '^renderer/api\\.ts$'],
    },
  },
  {
    name: 'settings-serve-the-pages',
    comment:
      'Editors of settings, notes and the components of approvals are used by every page that shows a device or a product. Of pages they import only stores: pass what belongs to one page as props.',
    from: { path: '^renderer/(settings|notes|approvals)/' },
    to: {
      path: '^renderer/(?!(?:settings|notes|approvals|components|failures|styles|writes|locales)/)[^/]+/',
      pathNot: '-store\\.ts$',
    },
  },
  {
    name: 'subjects-serve-devices-and-rooms',
    comment:
      'The drawer, the page and the tabs of one device or room import only stores of pages: pass what belongs to one of them as props or by a slot.',
    from: { path: '^renderer/subjects/' },
    to: {
      path: '^renderer/(?!(?:subjects|components|failures|styles|writes|locales)/)[^/]+/',
      pathNot: '-store\\.ts$',
    },
  },
  {
    name: 'filter-serves-every-list',
    comment:
      'The filter box, saved views and pasted lists are used by every page and import none: pass what belongs to one list as props.',
    from: { path: '^renderer/filter/' },
    to: { path: '^renderer/(?!(?:filter|components|failures|styles|locales)/)[^/]+/' },
  },
  {
    name: 'lists-serve-every-page',
    comment:
      'The parts of every list import no page, and only the stores of layout and exports: pass what belongs to one list as an argument or a prop.',
    from: { path: '^renderer/lists/' },
    to: {
      path: '^renderer/(?!(?:lists|filter|components|failures|styles|locales)/)[^/]+/',
      pathNot: '^renderer/(layout/layout|exports/exports)-store\\.ts$',
    },
  },
  {
    name: 'nothing-imports-tests',
    comment:
      'Shipped code never imports tests: move what both need to the sources. Exceptions: test-steps.mjs runs the tests and prints their seed, and the gallery shows pages with the core of the tests.',
    from: { path: '^(electron|renderer|build)/', pathNot: '^build/(test-steps|gallery)\\.mjs$' },
    to: { path: '^tests/' },
  },
  {
    name: 'no-cycles',
    comment:
      'Files that import each other in a cycle cannot be read alone: move what both need to a third file, or pass it as a parameter. Types may: they load nothing, and the list of features types what each feature in it needs (core/feature.ts).',
    from: notTests,
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
  {
    name: 'no-orphans',
    comment: 'Nothing imports this file, and it is not an entry file: use it or delete it.',
    from: {
      orphan: true,
      path: '^(electron|renderer)/',
      pathNot: ['\\.d\\.ts$', '^electron/(cli/cli|demo/demo-main|adapters/(database|schema)-worker)\\.ts$'],
    },
    to: {},
  },
  {
    name: 'packages-are-declared',
    comment:
      'Every import exists, and every package is in package.json with its exact version: what the shipped program needs at run time in dependencies, what Vite bundles in devDependencies.',
    from: { path: '^(electron|renderer)/' },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'] },
  },
]

module.exports = {
  forbidden: rules.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(out|release|coverage)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      extensions: ['.ts', '.vue', '.js', '.mjs', '.json', '.d.ts'],
    },
    builtInModules: { add: ['node:sqlite', 'sqlite', 'node:test'] },
  },
}
