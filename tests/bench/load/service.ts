import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface Service {
  readonly managementUrl: string
  readonly metadataUrl: string
  readonly key: string
  readonly end: () => Promise<void>
}

/** The demonstration service in its own process, as the program starts it. */
export async function startService(...options: readonly string[]): Promise<Service> {
  const script = new URL('../../../electron/demo/demo-main.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script, '--json', '--with-parent', ...options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return {
    ...(JSON.parse(line) as Omit<Service, 'end'>),
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
