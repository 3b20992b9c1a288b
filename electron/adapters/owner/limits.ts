/** How long owner and clients wait for each other, in ms. The platform sets them; tests use shorter ones. */
export interface OwnerWaits {
  /** Until the owner has authenticated itself, and until a client has sent its first message. */
  readonly connectInMs: number
  /** Longest time without a keep-alive of the owner. */
  readonly silentInMs: number
  /** Interval of the owner's keep-alives. */
  readonly aliveEveryInMs: number
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
 * A longer message ends its connection. A piece of a text is at most 64 Ki characters, which JSON makes six times
 * as long at worst.
 */
export const messageAtMost = 1 << 20
export const pieceAtMost = 64 << 10
/** An argument of a method, as JSON: several times the longest that a method accepts. Chosen. */
export const argumentAtMost = 16 << 20
/** The result of a method, as JSON: longer lists are read in slices. Chosen. */
export const resultAtMost = 64 << 20
/** Calls of one client that are not answered yet. A command makes a few at once; raise it if one makes more. */
export const callsAtMost = 200
/** A client that takes nothing for this long while more than this waits for it is dropped. Chosen. */
export const undrainedAtMost = { inMs: 60_000, characters: 4 << 20 }
