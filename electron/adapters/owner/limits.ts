/** How long owner and clients wait for each other, in ms. The platform sets them; tests use shorter ones. */
export interface OwnerWaits {
  /** Until the owner has authenticated itself, and until a client has sent its first message. */
  readonly connectInMs: number
  /** Longest time without a keep-alive of the owner. */
  readonly silentInMs: number
  /** Interval of the owner's keep-alives. */
  readonly aliveEveryInMs: number
  /** Interval at which the lock file is compared, in addition to every write. */
  readonly checkEveryInMs: number
  /** How long a command that has ended remains for its clients. */
  readonly stayInMs: number
  /** How long a window waits for a hand-over before it says who holds the folder. */
  readonly handOverInMs: number
  /** Interval at which it tries again. */
  readonly tryAgainInMs: number
}

/**
 * Defaults of owners and clients. Several keep-alives must be missed before an owner counts as silent; raise
 * `aliveEveryInMs` if keep-alives cost measurable time.
 */
export const ownerWaits: OwnerWaits = {
  connectInMs: 5_000,
  silentInMs: 30_000,
  aliveEveryInMs: 5_000,
  checkEveryInMs: 5_000,
  stayInMs: 10_000,
  handOverInMs: 30_000,
  tryAgainInMs: 5_000,
}

/**
 * Further clients are refused. More commands than a person runs at the same time; raise it if clients are
 * refused.
 */
export const clientsAtMost = 16
/**
 * A longer message ends its connection. Raise it with the size of stream pieces, at most 64 Ki characters
 * today.
 */
export const messageAtMost = 1 << 20
/**
 * How much one command may read from its input and files, in characters: several times the longest text that
 * a command accepts.
 */
export const readAtMost = 16 << 20
/** Longest argument list of a command: more than a shell passes on most systems. */
export const wordsAtMost = 10_000
