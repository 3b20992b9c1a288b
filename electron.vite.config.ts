import { resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'
import { guidePages } from './build/guide-pages.mjs'
import { thirdPartyNotices } from './build/third-party-notices.mjs'

/** Entries are absolute: a relative `electron/…` would resolve to the electron module. */
const electron = (path: string): string => resolve(import.meta.dirname, 'electron', path)

/** The bundler drops `with { type: 'json' }` from external imports, and Node requires it. */
const jsonStaysJson: Plugin = {
  name: 'json-stays-json',
  renderChunk: (code) => ({
    code: code.replaceAll(/^(import\b.*?["'][^"'\n]+\.json["']);?$/gm, '$1 with { type: "json" };'),
    // No line moves, so the source map stays valid.
    map: null,
  }),
}

const notices = thirdPartyNotices(import.meta.dirname)

export default defineConfig({
  main: {
    plugins: [jsonStaysJson, notices.collect()],
    build: {
      outDir: 'out/main',
      // Every process and thread has its own entry, found beside the others at run time.
      lib: {
        entry: {
          main: electron('main/main.ts'),
          cli: electron('cli/cli.ts'),
          demo: electron('demo/demo-main.ts'),
          'database-worker': electron('adapters/database-worker.ts'),
          'schema-worker': electron('adapters/schema-worker.ts'),
        },
        formats: ['es'],
      },
      rollupOptions: { output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' } },
      minify: false,
      sourcemap: false,
    },
  },
  preload: {
    plugins: [notices.collect()],
    build: {
      outDir: 'out/preload',
      // A sandboxed preload cannot require packages: everything is bundled into one CommonJS file.
      externalizeDeps: false,
      lib: { entry: electron('preload/preload.ts'), formats: ['cjs'] },
      rollupOptions: { output: { entryFileNames: 'preload.cjs' } },
      minify: false,
    },
  },
  renderer: {
    root: resolve(import.meta.dirname, 'renderer'),
    build: {
      outDir: resolve(import.meta.dirname, 'out/renderer'),
      // The page's policy allows typefaces only as files.
      assetsInlineLimit: (path) => (path.endsWith('.woff2') ? false : undefined),
      rollupOptions: { input: resolve(import.meta.dirname, 'renderer/index.html') },
    },
    plugins: [guidePages(), vue(), tailwindcss(), notices.write()],
  },
})
