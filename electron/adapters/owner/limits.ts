/** How long owner and clients wait for each other, ms: a platform hands them in, a test shorter ones. */
export interface OwnerWaits {
  /** Until the owner has proved itself. */
  readonly connectInMs: number
  /** Between signs of life of the owner. */
  readonly silentInMs: number
  /** The owner gives one so often. */
  readonly aliveEveryInMs: number
  /** The lock's file is compared so often, beside every write. */
  readonly checkEveryInMs: number
  /** A command that is over stays for its clients. */
  readonly stayInMs: number
  /** A window waits for a hand-over before it says who holds the folder. */
  readonly handOverInMs: number
  /** It tries again so often. */
  readonly tryAgainInMs: number
}

/** Behaviour of owners and clients; `aliveEveryInMs` is chosen: several signs are missed before one is given up. */
export const ownerWaits: OwnerWaits = {
  connectInMs: 5_000,
  silentInMs: 30_000,
  aliveEveryInMs: 5_000,
  checkEveryInMs: 5_000,
  stayInMs: 10_000,
  handOverInMs: 30_000,
  tryAgainInMs: 5_000,
}

/** More are refused at once. Chosen: more commands than a person runs beside an app. */
export const clientsAtMost = 16
/** A message that is longer ends its connection. Chosen: pieces of streams are at most 64 Ki characters. */
export const messageAtMost = 1 << 20
/** What one command may read of its input and files, characters. Chosen: some times the longest text that a command takes. */
export const readAtMost = 16 << 20
/** The words of one command. Chosen: more than a shell passes on most systems. */
export const wordsAtMost = 10_000
