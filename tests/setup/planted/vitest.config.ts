import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [vue()],
  test: {
    include: ['tests/setup/planted/warnings.ts'],
    environment: 'happy-dom',
    setupFiles: ['tests/setup/quiet.ts'],
  },
})
