import { defineConfig } from '@playwright/test'

/**
 * The built app end to end, tests that take real time, the fidelity of the stand-in, and the packed program. HEADROOM_SHELL names the
 * program that opens the window.
 */
export default defineConfig({
  outputDir: 'test-results',
  // Several times what the slowest test takes on a busy machine: a limit is no assertion.
  timeout: 900_000,
  expect: { timeout: 180_000 },
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  reporter: [['list']],
  // A trace without pictures and copies of the page costs no measurable time; tests/e2e/program.ts adds a picture of the window.
  use: { trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false } },
  projects: [
    // The pictures of README are made on request.
    {
      name: 'e2e',
      testDir: 'tests/e2e',
      ...(process.env['HEADROOM_PICTURES'] === '1' && { testMatch: '**/*.pictures.ts' }),
    },
    // They wait and need no processor, so all run at once.
    { name: 'waits', testDir: 'tests/waits', fullyParallel: true },
    { name: 'stand-in', testDir: 'tests/stand-in' },
    { name: 'packaging', testDir: 'tests/packaging' },
  ],
})
