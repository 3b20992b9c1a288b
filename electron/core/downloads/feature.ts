import type { Handlers } from '../../contract/rpc-client.ts'
import { methods, type Client } from '../feature.ts'
import type { SharedDeps } from '../core-features.ts'

export const downloadMethods = methods(
  ({
    shared,
    downloads,
    currentId,
    who,
    waiting,
    tasks,
  }: Client<SharedDeps, unknown>): {
    readonly downloads: Handlers<'downloads'>
  } => ({
    downloads: {
      start: async (query) => downloads.start(await currentId(), query, who, waiting),
      list: async () => downloads.list(await currentId()),
      get: ({ id }) => downloads.get(id),
      keep: ({ id }) => downloads.keep(id),
      pause: ({ id }) => downloads.pause(id),
      resume: ({ id }) => downloads.resume(id, waiting),
      cancel: ({ id }) => downloads.cancel(id),
      show: ({ id }) => downloads.show(id),
      chooseFolder: () => shared.platform.desktop.chooseFolder(),
      ledger: async ({ product, start, count }) => downloads.ledger(await currentId(), product, start, count),
      verify: ({ files }) =>
        tasks.run('verify', async (task) =>
          downloads.verify(await currentId().catch(() => null), files, task),
        ),
    },
  }),
)
