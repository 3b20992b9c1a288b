import type { AppProblem } from '../contract/api/app.ts'
import { isKind, type Failure } from '../contract/failure.ts'
import { deviceRows } from './devices/devices.ts'
import { feature } from './feature.ts'
import type { Platform } from './platform.ts'
import { roomRows } from './rooms/rooms.ts'
import type { SharedBase } from './core-features.ts'
import { noteLostHistory } from './storage/lost-history.ts'
import { emptiedFiles } from './storage/file-failure.ts'
import { openStore } from './storage/store.ts'
import { openWorkbook, type Workbook } from './storage/workbook.ts'

export const workbookFeature = feature({
  async open({ platform }: Pick<SharedBase, 'platform'>) {
    const emptied = emptiedFiles(platform)
    const isNewWorkbook = platform.databases.found('workbook') !== 'filled'
    const workbook = await openWorkbook(platform)
    return { gives: { workbook, emptied, isNewWorkbook }, onRowsChanged: null, close: () => workbook.close() }
  },
  handlers: null,
})

export const storeFeature = feature({
  async open(
    needs: Pick<SharedBase, 'platform' | 'rebuilding' | 'emit'> & {
      readonly workbook: Workbook
      readonly emptied: readonly AppProblem[]
      readonly isNewWorkbook: boolean
    },
  ) {
    const { platform, rebuilding, emit, workbook, emptied, isNewWorkbook } = needs
    const store = await openStore(platform, [roomRows, deviceRows], rebuilding)
    if (isNewWorkbook || isDamaged(workbook.problem)) {
      const rows = await store.database.query('SELECT 1 FROM raw_record LIMIT 1')
      if (rows.length > 0) await noteLostHistory(workbook, platform.clock.now())
    }
    const stopListening = store.onProblems(() => emit('app.changed', { what: 'status' }))
    return {
      gives: {
        store,
        /** Problems with the files of this data folder, to show until they are solved. */
        fileProblems: (): readonly AppProblem[] =>
          [...emptied, workbook.problem, ...store.problems()]
            .filter((problem) => problem !== null)
            .filter((problem) => !isLookedAt(platform) || !isReadOnly(problem)),
        /** Why no write may be sent: its journal line could not be stored on disk. null: it can. */
        storageProblem: (): Failure | null => platform.dataFolder.problem() ?? workbook.storageProblem(),
      },
      onRowsChanged: null,
      close: async () => {
        stopListening()
        await store.close()
      },
    }
  },
  handlers: null,
})

/** The folder cannot be owned: its own problem covers all files in it. */
const isLookedAt = ({ dataFolder }: Platform): boolean =>
  ['read-only', 'unreliable'].includes(dataFolder.problem()?.reason ?? '')
const isDamaged = (problem: AppProblem | null): boolean =>
  isKind(problem?.failure, 'cache-unusable') && problem.failure.reason === 'damaged'
const isReadOnly = ({ failure }: AppProblem): boolean =>
  isKind(failure, 'cache-unusable') && failure.reason === 'read-only'
