import { resolve } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

/** The view over the double, outside the shipped bundle: `vite --config tests/renderer/gallery/vite.config.ts`. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [vue()],
  server: { port: 5199, host: '127.0.0.1', fs: { allow: [resolve(import.meta.dirname, '../../..')] } },
  build: {
    outDir: resolve(import.meta.dirname, '../../../out/gallery'),
    emptyOutDir: true,
    target: 'esnext',
  },
})
