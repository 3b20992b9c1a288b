/** What a target asks for, and the parts of the proof that show it. */
interface Aim {
  readonly aim: string
  readonly parts: readonly string[]
}

/** Every target of Headroom. */
export const aims: Readonly<Record<string, Aim>> = {
  R1: {
    aim: 'in no window more than 100 starts a second and 10,000 in five minutes',
    parts: ['property', 'bench'],
  },
  R2: { aim: 'three loads within 1.10 of the shortest time that the limits allow', parts: ['bench'] },
  R3: { aim: 'no 429 in 1,000 calls of two programs, in real time', parts: ['bench'] },
  R4: { aim: '60 s between two writes to one device, over restarts and kills', parts: ['property'] },
  R5: { aim: 'no call before Retry-After says so, at least 14 forms', parts: ['tests'] },
  R6: { aim: 'no write is repeated after a lost answer, five cut points', parts: ['tests'] },
  R7: { aim: 'after a 401 the other key once, then no call', parts: ['tests'] },
  R8: { aim: 'an answer of another kind is an error with its place, never data', parts: ['tests'] },
  R9: { aim: 'the cost said before is the cost, 20 jobs', parts: ['tests'] },
  R10: { aim: 'each item of a job ends once, 1,000 runs with faults', parts: ['property', 'faults'] },
  R11: { aim: 'a decision at 20,000 waiting calls costs at most 3 times one at 20', parts: ['bench'] },
  R12: {
    aim: 'a POST on a connection that the server destroys arrives once, on every transport',
    parts: ['tests'],
  },
  D1: { aim: 'both databases open and whole after 100 kills', parts: ['property', 'power'] },
  D2: {
    aim: 'first sync of 100,000 devices within 1.25 of the shortest, delay p99 under 50 ms',
    parts: ['bench'],
  },
  D3: { aim: '100,000 records, 5 % of them damaged: each accounted for', parts: ['property'] },
  D4: {
    aim: 'exported rows are the filtered ones, no formula; CSV at most 2 times a plain SELECT',
    parts: ['tests', 'bench'],
  },
  D5: { aim: 'files of format 1 open, others are refused or set aside', parts: ['tests'] },
  D6: { aim: '30 days offline: every reading feature works', parts: ['tests'] },
  V1: { aim: 'start with 100,000 devices at most 1.2 times a start without', parts: ['bench'] },
  V2: {
    aim: 'letter to result at most 0.7 of build 5509934 at 100,000 devices, 0.85 at 10,000',
    parts: ['bench'],
  },
  V3: {
    aim: 'wheel one frame above the plain list, 95 % with text; dragging 1.0 of it; fly-by under 100 ms, text within 150 ms',
    parts: ['bench'],
  },
  V4: { aim: 'page under 60 MB, main process under 300 MB', parts: ['bench'] },
  V5: { aim: 'during a sync: input delay p95 and a begin line p99 under 100 ms', parts: ['bench'] },
  V6: {
    aim: 'axe: 0 violations on every page; keyboard alone; 200 % and 1280×720 without loss',
    parts: ['tests'],
  },
  V7: { aim: 'texts 40 % longer: no clipped control', parts: ['tests'] },
  S1: { aim: 'a planted key is found nowhere', parts: ['tests', 'secrets'] },
  S2: { aim: 'the key goes to its management host alone', parts: ['tests'] },
  S3: { aim: "Electron's security checklist", parts: ['tests'] },
  S4: { aim: '10,000 fuzzed calls of each method: no crash, no bug', parts: ['property', 'secrets'] },
  S5: { aim: 'fuses', parts: ['tests'] },
  S6: { aim: 'exact versions, no install scripts, licences', parts: ['tests'] },
  S7: { aim: 'every write passes one lock', parts: ['tests'] },
  S8: { aim: '10,000 fuzzed filters: no injection, no exception', parts: ['property'] },
  F1: { aim: 'a download cut at ten places is resumed to the right hash', parts: ['property'] },
  F2: { aim: 'same version, other bytes: blocked', parts: ['tests'] },
  F3: { aim: 'no offer for another model', parts: ['tests'] },
  F4: { aim: 'a kit verifies offline; any changed byte is found', parts: ['tests'] },
  F5: { aim: 'the order of versions is total and transitive', parts: ['property'] },
  H1: { aim: 'set-up of a fresh clone under 3 minutes', parts: ['house'] },
  H2: { aim: '`npm run check` under 35 s with its caches, types under 10 s', parts: ['house'] },
  H3: {
    aim: '`npm test` under 7½ minutes and 850 s of processor time, again under 6½ minutes',
    parts: ['house'],
  },
  H4: { aim: 'over 90 % of lines and branches of the core', parts: ['house'] },
  H5: {
    aim: 'product under 105,500 lines, tests under 84,000, READMEs under 23,500 words',
    parts: ['house'],
  },
  H6: { aim: 'at least 90 of 100 planted bugs are found', parts: ['planted'] },
  I1: { aim: "every line of README's blocks runs from the packed command line", parts: ['installed'] },
  I2: {
    aim: 'packages for three systems are read: native module, one Node, fuses, licences, bill of materials',
    parts: ['packages'],
  },
  I7: { aim: 'nothing is marked gone by an incomplete list, 5,000 runs', parts: ['property'] },
}
