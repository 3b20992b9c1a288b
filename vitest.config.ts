import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [vue()],
  test: {
    // Tests of threads and programs wait for these, so one file more than there are cores runs in parallel.
    maxWorkers: availableParallelism() + 1,
    // One environment for all files of a worker: setup/fresh-view.ts resets what they share.
    isolate: false,
    globalSetup: 'tests/setup/bundled-programs.ts',
    // Programs that tests start: Node's compiled form is cached.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/headroom/compiled') },
    // No test asserts how long something takes: limits only end what hangs, also on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'core',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/renderer/**'],
          environment: 'node',
          setupFiles: ['tests/setup/quiet.ts', 'tests/setup/property-seed.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'view',
          include: ['tests/renderer/**/*.test.ts'],
          environment: 'happy-dom',
          setupFiles: ['tests/setup/quiet.ts', 'tests/setup/property-seed.ts', 'tests/setup/fresh-view.ts'],
        },
      },
    ],
  },
})
