import type { FileAddressRule, FileChecks, FileMismatch, FolderProblem } from './download.ts'

/**
 * Errors that a technician may need to know. A closed union: a new kind does not compile until it has
 * a sentence (contract/sentences).
 */
export type KeySlot = 'primary' | 'secondary'

/**
 * The call of a failure: the operation's name in contract/operations.ts, and the host; null: not stored, or
 * none was contacted.
 */
export interface CallPlace {
  readonly operation: string
  readonly host: string | null
}

/** A firmware bundle that names a product; null: not said. */
export interface BundledFirmware {
  readonly bundle: string
  readonly bundleVersion: string | null
  /** The product's firmware version in it. */
  readonly firmware: string | null
}

export type Failure =
  /** No subscription key is stored for the organization. */
  | { readonly kind: 'key-missing' }
  /** The service returned 401. Everything of the organization stops until the technician acts. */
  | { readonly kind: 'key-refused'; readonly slot: KeySlot; readonly message: string | null }
  /** The stored key is not allowed for the requested address: nothing was sent. Both are origins. */
  | {
      readonly kind: 'key-not-bound'
      readonly slot: KeySlot
      readonly boundTo: string
      readonly wouldGoTo: string
    }
  /**
   * The keychain's entry has a form that Headroom does not write: nothing was sent, and the entry is
   * unchanged.
   */
  | { readonly kind: 'key-unreadable'; readonly slot: KeySlot }
  /**
   * The service returned 429, or demanded a longer wait than Headroom accepts. `held`: nothing is sent until
   * then, except one call on request.
   */
  | {
      readonly kind: 'rate-limited'
      readonly call: CallPlace
      readonly untilAt: number | null
      readonly held?: true
    }
  /** No connection: name not found, refused, unreachable, no network. Nothing was sent. */
  | { readonly kind: 'offline'; readonly call: CallPlace; readonly message: string }
  /** The same because of a proxy. `via`: the proxy; null: none is known. */
  | {
      readonly kind: 'offline'
      readonly call: CallPlace
      readonly message: string
      readonly via: Via | null
      readonly reason: ProxyProblem
      readonly sent: false
    }
  /**
   * The service returned 5xx, or closed the connection during a read. `status` is null without a response.
   */
  | {
      readonly kind: 'service-unavailable'
      readonly call: CallPlace
      readonly status: number | null
      readonly message: string | null
    }
  /** 404 for a named thing; for the metadata interface 403, 404 and 410 mean "not published". */
  | {
      readonly kind: 'not-found'
      readonly call: CallPlace | null
      readonly what: string
      /**
       * Firmware bundles that name the product whose releases are not published separately. Missing: none, or
       * they cannot be read.
       */
      readonly inBundles?: readonly BundledFirmware[]
    }
  /** The service returned another 4xx. */
  | {
      readonly kind: 'refused'
      readonly call: CallPlace
      readonly status: number
      readonly message: string | null
    }
  /** The response is invalid: HTML, truncated JSON, an error text inside a 200. `where` names the place. */
  | {
      readonly kind: 'unreadable-answer'
      readonly call: CallPlace
      readonly where: string
      readonly message: string
    }
  /**
   * The time ran out: nothing was sent, or a read got no response in time. `what`: the document that a person
   * waited for, if any. `via`: the proxy that made no connection in that time, if there is one.
   */
  | {
      readonly kind: 'timed-out'
      readonly call: CallPlace
      readonly afterInMs: number
      readonly what?: string
      readonly via?: Via
    }
  /**
   * A write was sent and got no clear response: it may have been executed. Never repeated automatically.
   * `status`: of the response, if there was one.
   */
  | {
      readonly kind: 'unconfirmed'
      readonly call: CallPlace
      readonly message: string
      readonly status?: number | null
    }
  /** The technician or the program ended the work before it was done. */
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'keychain-unavailable'; readonly reason: KeychainProblem; readonly message: string }
  /** A SQLite file cannot be used: damaged, read-only, disk full, held by another program, or of another format. */
  | {
      readonly kind: 'cache-unusable'
      readonly file: string
      readonly reason:
        | 'damaged'
        | 'empty'
        | 'read-only'
        | 'disk-full'
        | 'newer'
        | 'earlier'
        | 'busy'
        | 'unknown'
      readonly message: string
      /**
       * A write was refused because its journal line or its write slot could not be stored: nothing was sent.
       */
      readonly refusesWrite?: true
    }
  | { readonly kind: 'writes-locked' }
  /**
   * One process owns the data folder, and this one cannot work with it. `silent`: the owner is stopped or
   * hangs; `refused`: the process that listens is not the owner, or accepts no more clients; `other-version`:
   * the owner is another version, named in `detail`; `lost`: the owner ended; `replaced`: the lock file was
   * deleted, renamed or replaced, so another process may own the folder; `read-only`: the folder cannot be
   * locked, only read; `unreliable`: it is on the file system `detail` or was locked twice, so the lock may
   * not exclude others; `key-beside`: only the owner may use a key of the environment; `nobody-stays`: the
   * folder has no owner that could continue the work; `unread`: it cannot be locked, and nothing was read in
   * it before (`detail`: the folder); `not-whole`: it cannot be locked, and `detail` names the file that
   * cannot be read completely. `in-use`: only its owner may do this. `holder`: the owner, for
   * people.
   */
  | {
      readonly kind: 'data-folder'
      readonly reason:
        | 'silent'
        | 'refused'
        | 'other-version'
        | 'lost'
        | 'replaced'
        | 'read-only'
        | 'unreliable'
        | 'key-beside'
        | 'nobody-stays'
        | 'unread'
        | 'not-whole'
        | 'in-use'
      readonly holder: string | null
      readonly detail: string | null
    }
  /**
   * The environment weakens Headroom's protection. Certificates: `detail` requests that they are not checked,
   * which is ignored; it names a variable or a switch. Data folder: others may write to the folder `detail`.
   */
  | {
      readonly kind: 'unsafe-setup'
      readonly what: 'certificates' | 'data-folder' | 'switch'
      readonly detail: string
    }
  /**
   * The administrator's policy in `file` does not allow it: nothing was done. `detail`: what is wrong with a
   * policy that locks, the host, the most items, the name of the organization; null: nothing.
   */
  | {
      readonly kind: 'policy'
      readonly rule: PolicyRule
      readonly file: string
      readonly detail: string | null
    }
  /** Too many calls are waiting already: new ones are refused. */
  | { readonly kind: 'too-busy'; readonly waiting: number }
  /**
   * A file differs from what was expected, and did not get its final name. `expected`, `actual`: hashes
   * (lower-case hex), sizes or content types; null: not known. `sinceAt`: when the expected value was
   * recorded; `at`: when the difference was found.
   */
  | {
      readonly kind: 'file-mismatch'
      readonly what: FileMismatch
      readonly file: string
      readonly expected: string | null
      readonly actual: string | null
      readonly sinceAt: number | null
      readonly at: number
      readonly checks: FileChecks
    }
  /** A folder cannot take files. `needed`, `free`: bytes; null: space is not the problem, or not known. */
  | {
      readonly kind: 'folder-unusable'
      readonly reason: FolderProblem
      readonly path: string
      readonly needed: number | null
      readonly free: number | null
    }
  /**
   * The address of a file is not allowed: nothing was sent there. Without its query, which may be a
   * signature.
   */
  | { readonly kind: 'address-refused'; readonly address: string; readonly rule: FileAddressRule }
  /**
   * The release list of a product could not be asked again before an update, so nothing was sent.
   * `observedAt`: when it was last read; null: never, or by the catalogue only.
   */
  | { readonly kind: 'releases-unread'; readonly product: string; readonly observedAt: number | null }
  /** The input cannot be used. `field` names the argument, `message` describes the problem. */
  | { readonly kind: 'invalid'; readonly field: string; readonly message: string }
  /** A bug of Headroom; the reference finds the entry in the log. */
  | { readonly kind: 'bug'; readonly reference: string }

/**
 * `locked`: the policy cannot be used completely, so nothing may be changed. `organization`: the administrator
 * set it. The others: as the members of the policy.
 */
export type PolicyRule =
  | 'locked'
  | 'look-only'
  | 'host'
  | 'most-items'
  | 'export'
  | 'webhooks'
  | 'demonstration'
  | 'organization'

/** A proxy, as `URL` writes its host. */
export interface Via {
  readonly host: string
  readonly port: number
}

/**
 * Why a proxy made no connection. `refused`: it forbids it, or could not make it itself; `closed`: it ended
 * the connection; `no-proxy-known`: a script names the proxy, or what names it cannot be used.
 */
export type ProxyProblem =
  | 'sign-in-wanted'
  | 'refused'
  | 'not-there'
  | 'name-not-known'
  | 'closed'
  | 'not-trusted'
  | 'no-proxy-known'

/** Why the operating system's keychain cannot be used. */
export type KeychainProblem =
  | 'library-missing'
  | 'no-bus'
  | 'no-service'
  | 'no-keyring'
  | 'locked'
  | 'unknown'

export type FailureKind = Failure['kind']

export type FailureOf<K extends FailureKind> = Extract<Failure, { kind: K }>

/** The one error class that carries a Failure. Anything else thrown is a bug. */
export class Failed extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.kind)
    this.name = 'Failed'
    this.failure = failure
  }

  static invalid(field: string, message: string): Failed {
    return new Failed({ kind: 'invalid', field, message })
  }
  /** Of stored data: no call was made. */
  static notFound(what: string): Failed {
    return new Failed({ kind: 'not-found', call: null, what })
  }
}

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure }

export const done = <T>(value: T): Outcome<T> => ({ ok: true, value })
export const failed = (failure: Failure): Outcome<never> => ({ ok: false, failure })

const nullIf =
  (isExpected: (failure: Failure) => boolean) =>
  (error: unknown): null => {
    if (error instanceof Failed && isExpected(error.failure)) return null
    throw error
  }
/** null: it rejected with Failed. */
export const orNull = <T>(result: Promise<T>): Promise<T | null> => result.catch(nullIf(() => true))
/** null: not found. Every other failure remains one. */
export const foundOrNull = <T>(result: Promise<T>): Promise<T | null> =>
  result.catch(nullIf((failure) => isKind(failure, 'not-found')))

/**
 * Whether a failure is of one named kind. What several kinds have in common is a member of failure-policy.ts,
 * so that a new kind must say it.
 */
export const isKind = <K extends FailureKind>(
  failure: Failure | null | undefined,
  kind: K,
): failure is FailureOf<K> => failure?.kind === kind
/** The same of something caught. */
export const failedWith = <K extends FailureKind>(
  error: unknown,
  kind: K,
): error is Failed & { readonly failure: FailureOf<K> } =>
  error instanceof Failed && isKind(error.failure, kind)
export const isCancelled = (error: unknown): boolean => failedWith(error, 'cancelled')
