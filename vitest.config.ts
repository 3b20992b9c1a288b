import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { guidePages } from './build/guide-pages.mjs'

/** Files that start programs wait for them most of their time: they come first, so that the others fill the processors meanwhile. */
class ProgramsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const { yes = [], no = [] } = Object.groupBy(sorted, startsPrograms)
    return [...yes, ...no]
  }
}
const startsPrograms = ({ moduleId }: TestSpecification) =>
  /from '.*\/(owner-programs|programs|holders)\.ts'/.test(readFileSync(moduleId, 'utf8')) ? 'yes' : 'no'

export default defineConfig({
  plugins: [guidePages(), vue()],
  test: {
    // Tests of threads and programs wait for these, so one file more than there are cores runs in parallel.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: ProgramsFirst },
    // One environment for all files of a worker: setup/fresh-view.ts resets what they share.
    isolate: false,
    globalSetup: 'tests/setup/bundled-programs.ts',
    // Programs that tests start: Node's compiled form is cached.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/headroom/compiled') },
    // No test asserts how long something takes: limits only end what hangs, also on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 180_000 } },
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
