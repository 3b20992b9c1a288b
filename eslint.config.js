import tseslint from 'typescript-eslint'
import vue from 'eslint-plugin-vue'
import local from './build/eslint-local-rules.js'
import components from './build/eslint-component-parser.js'
import linting from './.oxlintrc.json' with { type: 'json' }

/**
 * Every rule is data in .oxlintrc.json: oxlint applies them to .ts and .mjs (in a sixth of the time). Here they apply to components, which
 * oxlint cannot read, beside the rules for templates. Values from a template are untyped there.
 */
const ofComponents = linting.overrides
  .filter(({ files }) => files.some((pattern) => ['**/*.ts', 'renderer/**'].includes(pattern)))
  .reduce((rules, override) => ({ ...rules, ...override.rules }), linting.rules)
const named = Object.fromEntries(
  Object.entries(ofComponents).map(([name, setting]) => [
    name
      .replace('typescript/', '@typescript-eslint/')
      .replace(/^no-(?:shadow|unused-vars)$/, '@typescript-eslint/$&'),
    setting,
  ]),
)

export default tseslint.config(
  { ignores: ['**/*.{ts,js,mjs,cjs}', '**/{out,release,coverage,test-results,node_modules,.cache}/**'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true } },
  {
    files: ['renderer/**/*.vue'],
    extends: [vue.configs['flat/recommended']],
    plugins: { local, '@typescript-eslint': tseslint.plugin },
    languageOptions: {
      parserOptions: {
        parser: components,
        project: './renderer/tsconfig.json',
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.vue'],
      },
    },
    rules: {
      ...named,
      // vue-i18n declares functions as methods that are meant to be destructured.
      '@typescript-eslint/unbound-method': 'off',
      'vue/multi-word-component-names': 'off',
      'vue/no-v-html': 'error',
      'vue/component-api-style': ['error', ['script-setup']],
      'vue/block-lang': ['error', { script: { lang: 'ts' } }],
      'vue/define-emits-declaration': ['error', 'type-based'],
      'vue/define-props-declaration': ['error', 'type-based'],
      'vue/no-unused-refs': 'error',
      // The formatter decides.
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
)
