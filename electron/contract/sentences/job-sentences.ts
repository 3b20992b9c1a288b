import type { Job, JobKind, JobPlan } from '../api/jobs.ts'
import type { Say } from './sentences.ts'

/** `about 20 min left`. `left`: the time that it has left, as it is shown. */
export const leftWords = (say: Say, { waitsFor }: Pick<Job, 'waitsFor'>, left: string): string =>
  waitsFor === 'canary' ? say('leftAtMost', { left }) : say('left', { left })

/** Devices of a plan that are written to though offline. `shown`: a text, because a number `n` would select the form. */
export const offlineWords = (
  say: Say,
  { draft, items, offline }: JobPlan,
  shown: (n: number) => string = String,
): string =>
  offline === 0
    ? ''
    : say(
        `planOffline.${draft.work.kind === 'update-firmware' ? 'update' : 'change'}`,
        { n: shown(offline) },
        items === 1 ? 0 : offline,
      )

/** A job that devices of a plan are in, and which these are. `all`: items of the plan; `shown`: numbers as they are shown. */
export function alsoInWords(
  say: Say,
  { kind, all }: { readonly kind: JobKind; readonly all: number },
  { job, devices, items, first }: JobPlan['alsoIn'][number],
  name: string,
  shown: (n: number) => number | string = (n) => n,
): string {
  const isReboot = kind === 'reboot-rooms'
  const about = { job: name, state: say(`jobState.${job.state}`) }
  const names = first.join(', ')
  const more = items - first.length
  const counted = { names, n: shown(more) }
  const andMore = isReboot ? say('andMoreRooms', counted, more) : say('andMore', counted)
  const some = { ...about, n: shown(devices), names: more > 0 ? andMore : names }
  const whole = { ...about, n: shown(items) }
  const also =
    items < 3 || items !== all
      ? say('alsoIn', some, devices)
      : isReboot
        ? say('allRoomsIn', whole)
        : say('allDevicesIn', whole)
  const kinds = [kind, job.kind]
  if (!kinds.includes('reboot-rooms') || kinds.includes('change-settings')) return also
  return `${also} ${kinds.includes('update-firmware') ? say('interrupts') : say('twice', {}, items)}`
}
