import type { ComparedPair, ComparedRow, Comparison } from '../../electron/contract/api/comparison.ts'
import type { JobWork } from '../../electron/contract/api/jobs.ts'
import type { SettingChange } from '../../electron/contract/api/settings.ts'
import { updateOf } from '../jobs/job-plan-store.ts'

/** A line is known by B's device, or the room, and by what it says. */
export const choiceKey = (pair: ComparedPair | null, { what, name }: ComparedRow): string =>
  JSON.stringify([pair?.a?.id ?? null, pair?.b?.id ?? null, what, name])

const picked = (ids: readonly string[]) => ({ kind: 'picked' as const, ids })

/**
 * The jobs that make B like A, updates first. Devices with the same version, or with the same changes, share
 * one: a job has one version, or one list of changes, for all its devices.
 */
export function jobsOf(
  { pairs }: Pick<Comparison, 'pairs'>,
  isTicked: (key: string) => boolean,
): readonly JobWork[] {
  const wanted = pairs.flatMap((pair) => {
    const { b } = pair
    if (b === null) return []
    const ticked = pair.rows.filter((row) => isTicked(choiceKey(pair, row))).map(({ change }) => change)
    return [
      {
        id: b.id,
        // Under this word devices of several products share a job.
        versions: ticked.flatMap((change) =>
          change?.kind !== 'update'
            ? []
            : [pair.a?.firmware.latest === change.version ? 'latest' : change.version],
        ),
        changes: ticked.flatMap((change): readonly SettingChange[] =>
          change?.kind === 'set' ? [change.change] : [],
        ),
      },
    ]
  })
  const updates = Map.groupBy(
    wanted.flatMap(({ id, versions }) => versions.map((version) => ({ id, version }))),
    ({ version }) => version,
  )
  const settings = Map.groupBy(
    wanted.filter(({ changes }) => changes.length > 0),
    ({ changes }) => JSON.stringify(changes),
  )
  return [
    ...[...updates].map(([version, devices]) => updateOf(picked(devices.map(({ id }) => id)), version)),
    ...[...settings.values()].map((devices): JobWork => ({
      kind: 'change-settings',
      selection: picked(devices.map(({ id }) => id)),
      changes: devices[0]?.changes ?? [],
    })),
  ]
}
