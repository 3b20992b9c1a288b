import type { About } from '../contract/api/app.ts'
import type { FailureOf, KeychainTrouble } from '../contract/failure.ts'
import type { WebhookCheck, WebhookCheckRequest } from '../contract/api/webhooks.ts'

/**
 * What the core needs from the world. A platform (Electron main, command line, a test) hands these in as one value;
 * nothing in the core reaches for a global clock, timer, network, file or core.
 */
export interface Platform {
  readonly clock: Clock
  readonly random: () => number
  /** A new unguessable id, URL-safe. */
  readonly newId: () => string
  /** One attempt on the wire for reads: connections may be reused. */
  readonly transport: Transport
  readonly names: Names
  /** For addresses that strangers' payloads name: connects where it is told, so that no name is looked up behind a check. */
  readonly pinned: PinnedTransport
  readonly schemas: SchemaChecks
  readonly keychain: Keychain
  readonly databases: Databases
  readonly log: Log
  /** The definitions package that ships with this build: its version is the default ceiling. */
  readonly definitionsPackage: { readonly version: string; readonly schemaVersion: string }
  /** Starts the demonstration service in its own process; rejects with Failed when it cannot. */
  readonly demonstration: () => Promise<Demonstration>
  /** A subscription key for this run only (HEADROOM_KEY); null: none. */
  readonly keyFromEnvironment: string | null
  readonly desktop: Desktop
  readonly files: Files
  readonly about: About
  /** What was found around this program when it started, told as long as it runs. */
  readonly unsafeSetup: readonly FailureOf<'unsafe-setup'>[]
  readonly dataFolder: DataFolder
}

/** The folder that holds everything: one process owns it at a time. */
export interface DataFolder {
  /** Why nothing may be sent from here, asked anew each time; null: this process owns the folder. */
  trouble(): FailureOf<'data-folder'> | null
}

/** What only a desktop can do; the command line answers these with Failed `invalid`. */
export interface Desktop {
  /**
   * Opens an address in the system's browser: https, or of the running demonstration. `isKnown`: its host was opened before; else the
   * technician is asked. Answers whether it was opened; rejects with Failed `invalid` for any other address.
   */
  openOutside(url: string, isKnown: boolean): Promise<boolean>
  copy(text: string): Promise<void>
  /** Asks where to write a file; answers its path, null: thought better of. Rejects with Failed `invalid` where nobody can be asked. */
  saveAs(suggestedName: string): Promise<string | null>
  /** Shows a file in its folder. */
  showFile(path: string): Promise<void>
}

/** Files a technician asked for, at a path the desktop or the prompt told. */
export interface Files {
  /** Writes beside the path and renames at the end, so that what stands there is whole. Rejects with Failed `invalid`, field `file`. */
  write(path: string): Promise<FileWriter>
}

export interface FileWriter {
  /** Settles when more can be taken. */
  write(piece: string | Uint8Array): Promise<void>
  /** Answers the bytes written. */
  finish(): Promise<number>
  /** Leaves nothing behind. */
  discard(): Promise<void>
}

export interface Clock {
  /** Wall time, epoch milliseconds. May jump. */
  now(): number
  /** Milliseconds since the computer started, sleep perhaps left out: never goes back, and the same for every program until it starts anew. */
  monotonic(): number
  /** As `monotonic`, with sleep, and up to a second less than it is. */
  uptime(): number
  /** Which start of the computer this is; null: the system does not tell. */
  readonly boot: string | null
  /** Calls once, no earlier than `afterInMs` from now on the monotonic clock. */
  after(afterInMs: number, fire: () => void): Cancel
}
export type Cancel = () => void

export interface Transport {
  attempt(request: WireRequest): Promise<WireAnswer | WireFault>
  /** Attempts of one pool to one host that have a connection at once; one more would wait for it. Missing: any number. */
  readonly connections?: { readonly reads: number; readonly writes: number }
}

export interface Names {
  /** Every address of a host name, as the system finds them; empty: it has none or none can be found. Never rejects. */
  lookup(host: string): Promise<readonly string[]>
  /** Loopback counts as public, over http too: for tests, which have no public host. No preference sets it. */
  readonly loopbackForTests: boolean
}

export interface PinnedTransport {
  /**
   * One attempt to `address`, whatever the name in the URL means elsewhere; the certificate must still be the name's. No redirect is
   * followed: a 3xx is an answer. A body is cut at `maxBytes`.
   */
  attempt(request: WireRequest, address: string): Promise<WireAnswer | WireFault>
}

export interface SchemaChecks {
  /**
   * `checkPayload` of core/webhooks on a thread of its own: a schema can be written so that it never ends. null: the signal
   * ended it, or its memory did not suffice. Never rejects.
   */
  check(given: WebhookCheckRequest, signal: AbortSignal): Promise<WebhookCheck | null>
}

export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** From the start of the attempt to the end of the body. */
  readonly timeoutInMs: number
  /** A longer body ends the attempt with a `too-large` fault. */
  readonly maxBytes: number
  /** True for writes: a connection of its own, one that no earlier request used, so that nothing below us resends. */
  readonly freshConnection: boolean
  readonly signal: AbortSignal | null
  /** Requests of one pool share their connections with nobody else, so that whoever counts them knows when one is free. Default: a pool of all others. */
  readonly pool?: string
}

export interface WireAnswer {
  readonly kind: 'answer'
  readonly status: number
  /** Lower-case names; repeated headers joined by ", ". */
  readonly headers: Readonly<Record<string, string>>
  /** Text of the whole body, read to its end: UTF-8 unless the body or its type says another character set. */
  readonly body: string
}

export interface WireFault {
  readonly kind: 'fault'
  /** `no`: surely nothing reached the service. `maybe`: it may have. */
  readonly sent: 'no' | 'maybe'
  readonly reason:
    'offline' | 'timeout' | 'aborted' | 'broken' | 'truncated' | 'too-large' | 'tls' | 'redirect'
  /** For people; never holds a header value or a body. */
  readonly message: string
  /** Of a redirect: where it leads, whole; missing where that cannot be read. Nothing was sent there. */
  readonly location?: string
}

/** One entry per account. Rejects with KeychainError; `null` may also mean a locked keyring (see `locked`). */
export interface Keychain {
  get(account: string): Promise<string | null>
  set(account: string, secret: string): Promise<void>
  remove(account: string): Promise<void>
  /** Whether the keychain can be used now, found out without storing anything of value. */
  state(): Promise<
    | { readonly usable: true }
    | { readonly usable: false; readonly reason: KeychainTrouble; readonly message: string }
  >
}

export class KeychainError extends Error {
  readonly reason: KeychainTrouble
  constructor(reason: KeychainTrouble, message: string) {
    super(message)
    this.name = 'KeychainError'
    this.reason = reason
  }
}

export type SqlValue = string | number | bigint | null | Uint8Array
export type SqlRow = Readonly<Record<string, SqlValue>>

/** Three SQLite files, by name, in the home folder. */
export interface Databases {
  /**
   * Opens or creates, checking the whole file. Rejects with DatabaseError. `in-memory` lasts as long as this run and begins
   * with what can still be read from the file: for going on where the file cannot be written.
   */
  open(file: DatabaseFile, kept?: 'on-disk' | 'in-memory'): Promise<Database>
  /** What stands under the name of a file now, before it is opened. `empty`: a file without a byte. */
  found(file: DatabaseFile): 'missing' | 'empty' | 'filled'
  /** Moves a damaged file (with its -wal and -shm) aside; answers the new file name. */
  setAside(file: DatabaseFile, at: number): Promise<string>
  /** Copies a whole, consistent file beside it (`VACUUM INTO`); answers the new file name. */
  backUp(file: DatabaseFile, label: string): Promise<string>
  /** Writes an open file anew, without what was deleted in it. Nothing else may be asked of it meanwhile. */
  compact(file: DatabaseFile): Promise<void>
}
export type DatabaseFile = 'store' | 'workbook' | 'ledger'

export interface Database {
  /**
   * What is committed here is on the disk, in the file that every program of this home opens. Told from what was really opened, and asked anew
   * each time: the file may be deleted or replaced meanwhile. No write is sent without it.
   */
  readonly durable: boolean
  /** Runs on a worker thread with its own connection; sees every committed write. */
  read(sql: string, parameters?: readonly SqlValue[]): Promise<SqlRow[]>
  /** As `read`, for one numeric column of many rows: crosses threads as one buffer. */
  readNumbers(sql: string, parameters?: readonly SqlValue[]): Promise<Float64Array>
  /**
   * One transaction on the writing connection (BEGIN IMMEDIATE); throws roll back. Long `work` may let other turns of the event loop
   * by, and waits for nothing else: every other write waits for it.
   */
  write<T>(work: (transaction: Transaction) => T | Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface Transaction {
  run(sql: string, parameters?: readonly SqlValue[]): { readonly changes: number; readonly lastId: number }
  all(sql: string, parameters?: readonly SqlValue[]): SqlRow[]
  first(sql: string, parameters?: readonly SqlValue[]): SqlRow | undefined
  /** Several statements without parameters: schema only. */
  script(sql: string): void
}

export class DatabaseError extends Error {
  readonly reason: 'damaged' | 'read-only' | 'disk-full' | 'newer' | 'busy' | 'unknown'
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
