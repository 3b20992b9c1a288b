import type { Connection } from '../adapters/owner/owner-server.ts'
import type { Core } from '../core/app.ts'
import { builtParts } from './window.ts'

type CommandLine = typeof import('../cli/cli.ts')

export const commandLine = async (): Promise<CommandLine> =>
  (await import(builtParts.commandLine.href)) as CommandLine

/** Commands of the command line that run in this process, because it owns the data folder. */
export interface ServedCommands {
  readonly serve: (connection: Connection) => void
  readonly working: () => number
  /** Closes the core with `close`; commands continue in the next owner of the folder. */
  readonly handOver: (close: () => Promise<void>) => Promise<void>
}

/** Loaded for the first client, because most runs of the app have none. */
export function servedCommands(core: Promise<Core>): ServedCommands {
  let server: ReturnType<CommandLine['openCommandServer']> | null = null
  return {
    serve: (connection) =>
      void commandLine().then(
        ({ openCommandServer, runIn }) => {
          server ??= openCommandServer({ core, run: runIn, wanted: null })
          server.serve(connection)
        },
        () => connection.destroy(),
      ),
    working: () => server?.working() ?? 0,
    handOver: async (close) => (server === null ? close() : server.handOver(close)),
  }
}
