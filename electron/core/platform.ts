import type { About } from '../contract/api/app.ts'
import type { FolderProblem } from '../contract/download.ts'
import type { FailureOf, KeychainProblem, ProxyProblem, Via } from '../contract/failure.ts'
import type { Json } from '../contract/json.ts'
import type { NewerVersionSource } from './newer-version/newer-version.ts'

/**
 * What the core needs from outside. A platform (Electron main, command line, a test) passes these in as one
 * value; the core uses no global clock, timer, network, file or console.
 */
export interface Platform {
  readonly clock: Clock
  readonly random: () => number
  /** A new id that cannot be guessed, URL-safe. */
  readonly newId: () => string
  /** The salted hash by which a stored key is recognized; hexadecimal. Slow on purpose. */
  readonly keyHash: (key: string, salt: string) => Promise<string>
  /** One attempt on the network for reads: connections may be reused. */
  readonly transport: Transport
  readonly names: Names
  /**
   * For addresses from untrusted payloads: connects to a given address, so that the name is not resolved
   * again after the check.
   */
  readonly pinned: PinnedTransport
  readonly fileTransport: FileTransport
  readonly folders: Folders
  readonly keychain: Keychain
  readonly databases: Databases
  readonly log: Log
  /**
   * The definitions package that ships with this build: its version is the default definition limit.
   * `properties` is its `file` as received.
   */
  readonly definitionsPackage: {
    readonly version: string
    readonly schemaVersion: string
    readonly file: string
    readonly properties: () => Json
  }
  /** Starts the demonstration service in its own process; rejects with Failed if that fails. */
  readonly demonstration: () => Promise<Demonstration>
  /** A subscription key for this run only (HEADROOM_KEY); null: none. */
  readonly keyFromEnvironment: string | null
  readonly desktop: Desktop
  readonly files: Files
  /** Missing: nobody can be asked. */
  readonly proxySignIn?: ProxySignIn
  /**
   * What an administrator's policy says of proxies, `http://HOST:PORT` or `direct`; null: nothing. Called before the first connection and
   * when it changes. Missing: it connects to nothing.
   */
  readonly useProxy?: (ofPolicy: string | null) => void
  readonly about: About
  readonly policySource: PolicySource
  /** Where to ask for a newer version of this program, if the policy says so, or nothing (null). */
  readonly newerVersion: (ofPolicy: boolean | null) => NewerVersionSource
  /** Problems of the environment that were found at the start, shown for the whole run. */
  readonly unsafeSetup: readonly FailureOf<'unsafe-setup'>[]
  readonly dataFolder: DataFolder
}

/** A person's sign-in for a proxy. */
export interface ProxySignIn {
  /** The proxy that wants one; null: none. */
  wanted(): Via | null
  /** Returns the function that ends it. */
  onChange(listener: () => void): () => void
  /** For the proxy that wants one. It holds for this run; rejects with KeychainError if it cannot be kept. */
  give(signIn: { readonly user: string; readonly password: string }): Promise<void>
}

/** The data folder: one process owns it at a time. */
export interface DataFolder {
  /** Why this process may send nothing, checked at each call; null: this process owns the folder. */
  problem(): FailureOf<'data-folder'> | null
}

/**
 * The place of the administrator's policy: one for each system, which no variable, option or file of a user
 * moves.
 */
export interface PolicySource {
  /** Never rejects. `file` is a path, or a key of the registry. */
  read(): Promise<PolicyFile>
  /** `changed` is called when the place may have changed. Returns the function that ends it. */
  watch(changed: () => void): () => void
}

/** `refused`: it is there, but others could have written it, or it cannot be read. `problem`: a sentence that names it. */
export type PolicyFile =
  | { readonly kind: 'none'; readonly file: string }
  | { readonly kind: 'found'; readonly file: string; readonly bytes: Uint8Array }
  | { readonly kind: 'refused'; readonly file: string; readonly problem: string }

/** Functions that only a desktop has; on the command line they reject with Failed `invalid`. */
export interface Desktop {
  /**
   * Opens an address in the system's browser: https, or one of the running demonstration. `isKnown`: its host
   * was opened before; else the technician is asked. Returns whether it was opened; rejects with Failed
   * `invalid` for any other address.
   */
  openOutside(url: string, isKnown: boolean): Promise<boolean>
  copy(text: string): Promise<void>
  /**
   * Shows a save dialog; returns the path, null if cancelled. Rejects with Failed `invalid` without a
   * desktop.
   */
  saveAs(suggestedName: string): Promise<string | null>
  /**
   * Shows a folder dialog; returns the path, null if cancelled. Rejects with Failed `invalid` without a
   * desktop.
   */
  chooseFolder(): Promise<string | null>
  /** Shows a file in its folder. */
  showFile(path: string): Promise<void>
}

/** Files a technician requested, at a path from the dialog or the command line. */
export interface Files {
  /**
   * Writes to a temporary name and renames at the end, so that the file under the path is always complete.
   * Rejects with Failed `invalid`, field `file`.
   */
  write(path: string): Promise<FileWriter>
}

export interface FileWriter {
  /** Settles when more data can be accepted. */
  write(piece: string | Uint8Array): Promise<void>
  /** Returns the bytes written. */
  finish(): Promise<number>
  /** Deletes the temporary file. */
  discard(): Promise<void>
}

/** Folders for files that are too large to hold in memory. */
export interface Folders {
  /** The default folder for files; it need not exist. */
  readonly usual: string
  /**
   * Creates the folder if only the last part of its path is missing; the default folder with all parts.
   * `path` is absolute. Rejects with FolderError.
   */
  open(path: string): Promise<Folder>
  /** An existing folder: creates nothing. `path` is absolute. Rejects with FolderError. */
  find(path: string): Promise<Folder>
  /** The bytes of a file at an absolute path, in pieces. Throws FolderError, also if it is not a file. */
  read(path: string): AsyncIterable<Uint8Array>
}

export interface Folder {
  /** With links resolved. */
  readonly path: string
  /** Identifies its drive: folders of one drive share its space. */
  readonly volume: string
  /** Bytes of the largest file its file system can store; null: no limit is known. */
  readonly largestFile: number | null
  /** Free bytes without a reserve for other programs; null: the system does not report them. */
  free(): Promise<number | null>
  /** The entry under a name; a link is not followed and is `other`, as is a folder. */
  look(
    name: string,
  ): Promise<
    { readonly kind: 'none' } | { readonly kind: 'other' } | { readonly kind: 'file'; readonly bytes: number }
  >
  /**
   * A new, empty file with this name. An existing plain file is deleted; anything else remains: FolderError
   * `taken`.
   */
  create(name: string): Promise<PartFile>
  /** The plain file with this name, to be continued; null: there is none. */
  reopen(name: string): Promise<PartFile | null>
  /** Deletes the plain file with this name, if there is one. */
  remove(name: string): Promise<void>
  /**
   * Replaces the plain file with this name by one with this text, atomically: readers see the old or the new
   * one.
   */
  replace(name: string, text: string): Promise<void>
  /** Its entries, in no order; a link is `other`. */
  list(): Promise<readonly { readonly name: string; readonly kind: 'file' | 'folder' | 'other' }[]>
  /** The path of a name in it. */
  pathOf(name: string): string
}

/** A file that grows. Every member rejects with FolderError. */
export interface PartFile {
  readonly bytes: number
  /** Its first bytes, in pieces. */
  read(upTo: number): AsyncIterable<Uint8Array>
  /** Truncates it to its first bytes; later writes follow them. */
  cut(bytes: number): Promise<void>
  write(piece: Uint8Array): Promise<void>
  /** Rejects if the name now refers to another file or to none. */
  stillThere(): Promise<void>
  /** Writes it to the disk. */
  flush(): Promise<void>
  /**
   * The file gets this name. Until then the name must be free, or belong to an empty
   * file that was created here, according to `isOurs`.
   */
  place(name: string, isOurs: boolean): Promise<void>
  /** Deletes it, unless another file has its name now. */
  remove(): Promise<void>
  close(): Promise<void>
}

export class FolderError extends Error {
  readonly reason: FolderProblem
  readonly path: string
  constructor(reason: FolderProblem, path: string, message: string) {
    super(message)
    this.name = 'FolderError'
    this.reason = reason
    this.path = path
  }
}

export interface Clock {
  /** Wall time, epoch milliseconds. May jump. */
  now(): number
  /** Milliseconds since some moment before this run, possibly without sleep; never goes back. */
  monotonic(): number
  /** Calls once, no earlier than `afterInMs` from now on the monotonic clock. */
  after(afterInMs: number, fire: () => void): Cancel
}
export type Cancel = () => void

export interface Transport {
  attempt(request: WireRequest): Promise<WireResponse | WireFault>
  /**
   * Maximum number of attempts of one pool to one host that have a connection at the same time; a further one
   * would wait. Missing: no limit.
   */
  readonly connections?: { readonly reads: number; readonly writes: number }
}

export interface Names {
  /** Every address of a host name, as the system resolves it; empty: none found. Never rejects. */
  lookup(host: string): Promise<readonly string[]>
  /** Loopback counts as public, over http too: for tests, which have no public host. No preference sets it. */
  readonly loopbackForTests: boolean
}

export interface PinnedTransport {
  /**
   * One attempt to `address`, even if the URL's name resolves elsewhere; the certificate must still match the
   * name. No redirect is followed: a 3xx is returned. A body is cut at `maxBytes`.
   */
  attempt(request: WireRequest, address: string): Promise<WireResponse | WireFault>
}

/** For files that are too large to hold in memory. */
export interface FileTransport {
  /** Whether a proxy of the system handles this address: it resolves names itself. */
  isProxied(url: string): Promise<boolean>
  /**
   * One GET. `address`: connects there, even if the URL's name resolves elsewhere; null: through the proxy.
   * No redirect is followed: a 3xx is returned. Nothing is decompressed.
   */
  get(request: FileRequest, address: string | null): Promise<FileResponse | WireFault>
}

export interface FileRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Timeout from the start to the headers of the response, and between pieces. */
  readonly silentAtMostInMs: number
  readonly signal: AbortSignal
}

export interface FileResponse {
  readonly kind: 'answer'
  readonly status: number
  /** As those of WireResponse. */
  readonly headers: Readonly<Record<string, string>>
  /** Read no faster than it is consumed. Throws FileBroken if it breaks off. */
  readonly body: AsyncIterable<Uint8Array>
  /** Ends the transfer; has no effect if the body was read completely. */
  close(): void
}

export class FileBroken extends Error {
  readonly fault: WireFault
  constructor(fault: WireFault) {
    super(fault.message)
    this.name = 'FileBroken'
    this.fault = fault
  }
}

export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Timeout from the start of the attempt to the end of the body. */
  readonly timeoutInMs: number
  /** A longer body ends the attempt with a `too-large` fault. */
  readonly maxBytes: number
  /** True for writes: a new connection, so that no lower layer can send the request again. */
  readonly freshConnection: boolean
  readonly signal: AbortSignal | null
  /**
   * Requests of one pool share their connections with no others, so that the pool's user knows when one is
   * free. Default: a common pool.
   */
  readonly pool?: string
}

export interface WireResponse {
  readonly kind: 'answer'
  readonly status: number
  /** Lower-case names; repeated headers joined by ", ". */
  readonly headers: Readonly<Record<string, string>>
  /** Text of the complete body: UTF-8 unless the body or its type states another charset. */
  readonly body: string
}

export interface WireFault {
  readonly kind: 'fault'
  /** `no`: certainly nothing reached the service. `maybe`: it may have. */
  readonly sent: 'no' | 'maybe'
  readonly reason:
    | 'offline'
    | 'timeout'
    | 'aborted'
    | 'broken'
    | 'truncated'
    | 'too-large'
    | 'tls'
    | 'redirect'
  /** For display; never contains a header value or a body. */
  readonly message: string
  /** Missing: no proxy is the reason. `via` null: none is known. */
  readonly proxy?: { readonly reason: ProxyProblem; readonly via: Via | null }
  /** Complete target of a redirect; missing if it cannot be parsed. No request was sent there. */
  readonly location?: string
}

/** One entry per account. Rejects with KeychainError; `null` may also mean a locked keyring (see `locked`). */
export interface Keychain {
  get(account: string): Promise<string | null>
  set(account: string, secret: string): Promise<void>
  remove(account: string): Promise<void>
  /** Whether the keychain can be used now, checked with a probe value. */
  state(): Promise<
    | { readonly usable: true }
    | { readonly usable: false; readonly reason: KeychainProblem; readonly message: string }
  >
}

export class KeychainError extends Error {
  readonly reason: KeychainProblem
  constructor(reason: KeychainProblem, message: string) {
    super(message)
    this.name = 'KeychainError'
    this.reason = reason
  }
}

export type SqlValue = string | number | bigint | null | Uint8Array
export type SqlRow = Readonly<Record<string, SqlValue>>

/** Three SQLite files, by name, in the data folder. */
export interface Databases {
  /**
   * Opens or creates. The whole file is checked before it is used; for a large store that was closed
   * completely this is left to `check`. Rejects with DatabaseError.
   */
  open(file: DatabaseFile): Promise<Database>
  /**
   * Opens a file that cannot be written, as far as it can be read; every write rejects with `because`.
   * Rejects with DatabaseError if it is missing or unreadable.
   */
  openReadOnly(file: DatabaseFile, because: Error): Promise<Database>
  /** The state of the file under the name before it is opened. `empty`: a file of zero bytes. */
  found(file: DatabaseFile): 'missing' | 'empty' | 'filled'
  /** Renames a closed file (with its -wal and -shm); returns the new file name. */
  setAside(file: DatabaseFile, because: 'damaged' | 'earlier', at: number): Promise<string>
}
export type DatabaseFile = 'store' | 'workbook'

export interface Database {
  /**
   * Whether commits here are on the disk, in the file that every program of this data folder opens.
   * Determined from the opened file at each call, because the file may be deleted or replaced meanwhile. No
   * write is sent without it.
   */
  readonly durable: boolean
  /**
   * Runs on a worker thread with its own connection; sees every committed write. The default of `kind` is
   * `rows`.
   */
  query(sql: string, parameters?: readonly SqlValue[], kind?: ReadKind): Promise<SqlRow[]>
  /** As `read`, for one column of whole numbers of many rows: passed between threads as one buffer. */
  queryNumbers(sql: string, parameters?: readonly SqlValue[], kind?: ReadKind): Promise<Float64Array>
  /**
   * Checks the whole file while it is used; missing: that was done when it was opened. Rejects with
   * DatabaseError `damaged`.
   */
  readonly check?: () => Promise<void>
  /**
   * One transaction on the writing connection (BEGIN IMMEDIATE); an exception rolls back. Long `work` may
   * yield to the event loop but waits for nothing else, because every other write waits for it.
   */
  write<T>(work: (transaction: Transaction) => T | Promise<T>): Promise<T>
  /** One transaction on the thread that writes: as `write`, without blocking this thread. */
  perform<Input, Answer>(procedure: Procedure<Input, Answer>, input: Input): Promise<Answer>
  close(): Promise<void>
}

/**
 * A function that may run on the thread that writes: found there by its name (core/procedures.ts). Input and
 * result are copied (structured clone).
 */
export interface Procedure<Input, Answer> {
  readonly name: string
  /** Adjacent calls in the queue may share a transaction. */
  readonly shared?: true
  readonly run: (transaction: Transaction, input: Input) => Answer
}

/**
 * `rows`: needed on screen now. `sum`: a pass over many rows; only one runs at a time, and no query for rows
 * waits for it.
 */
export type ReadKind = 'rows' | 'sum'

export interface Transaction {
  run(sql: string, parameters?: readonly SqlValue[]): { readonly changes: number; readonly lastId: number }
  all(sql: string, parameters?: readonly SqlValue[]): SqlRow[]
  first(sql: string, parameters?: readonly SqlValue[]): SqlRow | undefined
  /** Several statements without parameters: schema only. */
  script(sql: string): void
}

export class DatabaseError extends Error {
  readonly reason: 'damaged' | 'read-only' | 'disk-full' | 'newer' | 'earlier' | 'busy' | 'unknown'
  readonly file: DatabaseFile
  constructor(file: DatabaseFile, reason: DatabaseError['reason'], message: string) {
    super(message)
    this.name = 'DatabaseError'
    this.file = file
    this.reason = reason
  }
}

export interface Log {
  /** Scrubbed of keys before it is written; `details` must be plain and small. */
  write(
    level: 'debug' | 'info' | 'warn' | 'error',
    message: string,
    details?: Readonly<Record<string, string | number | boolean | null>>,
  ): void
}

export interface Demonstration {
  readonly managementUrl: string
  readonly metadataUrl: string
  readonly key: string
}
