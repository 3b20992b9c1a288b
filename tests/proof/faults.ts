import { hour } from './faults/hour.ts'
import { week } from './faults/week.ts'
import type { Part } from './runner/part.ts'

const pieces = {
  'a week of the core, on a clock of its own': week,
  'an hour of the window and the command line': hour,
}

export const part: Part = {
  purpose:
    'One organization under every fault of its service, the disk and the network: no bug is recorded, nothing is lost, no write is doubled, every failure is told in words. A case is an hour, a kind of fault or a minute.',
  pieces: Object.keys(pieces),
  oneByOne: true,
  targets: [],
  shows: 'R10',
  cannotRun: async () => (process.platform === 'win32' ? 'the stand-in needs a shell' : null),
  run: (piece, seed, stop) => pieces[piece as keyof typeof pieces](seed, stop),
  again: (_, seed) => `HEADROOM_PROPERTY_SEED=${seed} npm run proof -- faults --again`,
}
