import tseslint from 'typescript-eslint'
import vue from 'eslint-plugin-vue'
import house from './build/eslint-house-rules.js'
import typed from './.oxlintrc.json' with { type: 'json' }

const wayOfTime = 'use platform.clock, so that a test can move the time.'
const coreGlobals = [
  ...['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval'].map((name) => ({
    name,
    message: `The core has no timers of its own: ${wayOfTime}`,
  })),
  { name: 'performance', message: `The core has no clock of its own: ${wayOfTime}` },
  { name: 'fetch', message: 'The core has no network of its own: send through core/service-client.' },
  {
    name: 'XMLHttpRequest',
    message: 'The core has no network of its own: send through core/service-client.',
  },
  { name: 'WebSocket', message: 'The core has no network of its own: send through core/service-client.' },
  { name: 'console', message: 'The core prints nothing: use platform.log.' },
  {
    name: 'process',
    message: 'The core knows no process: what it needs comes in through the platform (core/platform.ts).',
  },
  {
    name: 'crypto',
    message: 'The core draws no ids of its own: use platform.newId, or node:crypto for hashes.',
  },
]
const coreMembers = [
  { object: 'Date', property: 'now', message: `The core has no clock of its own: ${wayOfTime}` },
  { object: 'Math', property: 'random', message: 'The core draws nothing itself: use platform.random.' },
]
const onTheTerminal = 'Print through the Terminal (cli/terminal.ts), which shows what a terminal would obey.'
const electronAway = {
  name: 'electron',
  message:
    'Only electron/main and electron/preload import electron: pass what you need through core/platform.ts or the contract.',
}

/**
 * The rules that need types are data in .oxlintrc.json: oxlint applies them to .ts (a sixth of the time), and
 * here they stand for what it cannot read, the scripts of components. What comes out of a template is untyped there.
 */
const ofComponents = Object.fromEntries(
  Object.entries({ ...typed.rules, ...typed.overrides[0].rules }).map(([name, setting]) => [
    name.replace('typescript/', '@typescript-eslint/'),
    setting,
  ]),
)

export default tseslint.config(
  { ignores: ['out/**', 'release/**', 'coverage/**', 'test-results/**', 'node_modules/**', '.cache/**'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true } },
  {
    files: ['**/*.{ts,js,mjs,cjs,vue}'],
    plugins: { house },
    rules: {
      'house/banned-names': 'error',
      'house/no-barrel': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-var': 'error',
      'prefer-const': 'error',
      'object-shorthand': 'error',
      'no-eval': 'error',
      'no-new-func': 'error',
      'no-constant-binary-expression': 'error',
      'no-self-compare': 'error',
    },
  },
  {
    files: ['electron/**/*.ts', 'renderer/**/*.{ts,vue}', 'tests/**/*.ts', '*.ts'],
    extends: [tseslint.configs.strict],
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/ban-ts-comment': 'error',
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        {
          argsIgnorePattern: '^_',
          varsIgnorePattern: '^_',
          destructuredArrayIgnorePattern: '^_',
          ignoreRestSiblings: true,
        },
      ],
      // With noUncheckedIndexedAccess a checked index needs it: a match's groups, a ring's places.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-extraneous-class': 'off',
    },
  },
  {
    files: ['renderer/**/*.vue'],
    extends: [vue.configs['flat/recommended']],
    languageOptions: {
      parserOptions: {
        parser: tseslint.parser,
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.vue'],
      },
    },
    rules: {
      ...ofComponents,
      // vue-i18n declares as methods what it made to be taken apart.
      '@typescript-eslint/unbound-method': 'off',
      'vue/multi-word-component-names': 'off',
      'vue/no-v-html': 'error',
      'vue/component-api-style': ['error', ['script-setup']],
      'vue/block-lang': ['error', { script: { lang: 'ts' } }],
      'vue/define-emits-declaration': ['error', 'type-based'],
      'vue/define-props-declaration': ['error', 'type-based'],
      'vue/no-unused-refs': 'error',
      // Prettier decides the form.
      'vue/max-attributes-per-line': 'off',
      'vue/singleline-html-element-content-newline': 'off',
      'vue/multiline-html-element-content-newline': 'off',
      'vue/html-self-closing': 'off',
      'vue/html-indent': 'off',
      'vue/html-closing-bracket-newline': 'off',
      'vue/first-attribute-linebreak': 'off',
      'vue/attributes-order': 'off',
    },
  },
  {
    files: ['electron/{contract,core,adapters,cli,demo}/**/*.ts', 'renderer/**/*.{ts,vue}'],
    rules: { 'no-restricted-imports': ['error', { paths: [electronAway] }] },
  },
  {
    files: ['electron/core/**/*.ts', 'electron/contract/**/*.ts'],
    rules: {
      'house/real-time': 'error',
      'no-restricted-globals': ['error', ...coreGlobals],
      'no-restricted-properties': ['error', ...coreMembers],
    },
  },
  {
    files: ['electron/**/*.ts', 'renderer/**/*.{ts,vue}'],
    rules: { 'house/no-html-text': 'error' },
  },
  {
    files: ['electron/cli/**/*.ts'],
    ignores: ['electron/cli/terminal.ts'],
    rules: {
      'no-restricted-globals': ['error', { name: 'console', message: onTheTerminal }],
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[object.name='process'][property.name=/^std(out|err)$/]",
          message: onTheTerminal,
        },
      ],
    },
  },
  {
    files: ['tests/**/*.ts'],
    rules: {
      // Isolation tests show that a page is refused it.
      'no-eval': 'off',
      'no-new-func': 'off',
    },
  },
  {
    files: ['tests/**/*.ts'],
    ignores: ['tests/electron-stand-in/**', 'tests/bench/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        {
          name: 'setTimeout',
          message: 'Tests do not wait by the clock: move a FakeClock, or await what you wait for.',
        },
      ],
    },
  },
)
