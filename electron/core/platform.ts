import type { About } from '../contract/api/app.ts'
import type { FolderTrouble } from '../contract/download.ts'
import type { FailureOf, KeychainTrouble } from '../contract/failure.ts'
import type { Json } from '../contract/json.ts'
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
  readonly fileTransport: FileTransport
  readonly folders: Folders
  readonly keychain: Keychain
  readonly databases: Databases
  readonly log: Log
  /** The definitions package that ships with this build: its version is the default ceiling. `properties` is its `file` as received. */
  readonly definitionsPackage: {
    readonly version: string
    readonly schemaVersion: string
    readonly file: string
    readonly properties: () => Json
  }
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
  /** Asks for a folder; answers its path, null: thought better of. Rejects with Failed `invalid` where nobody can be asked. */
  chooseFolder(): Promise<string | null>
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

/** Folders into which files come that are too large to hold. */
export interface Folders {
  /** Where files go unless somebody says otherwise; it need not be there. */
  readonly usual: string
  /** Makes it where only its last part is missing, the usual one with all its parts. `path` is absolute. Rejects with FolderError. */
  open(path: string): Promise<Folder>
  /** One that is there: makes nothing. `path` is absolute. Rejects with FolderError. */
  find(path: string): Promise<Folder>
  /** The bytes of a file at an absolute path, in pieces. Throws FolderError, also where it is no file. */
  read(path: string): AsyncIterable<Uint8Array>
}

export interface Folder {
  /** Without links. */
  readonly path: string
  /** Which drive it is on: folders of one share their space. */
  readonly volume: string
  /** Bytes of the largest file its file system holds; null: no such bound is known. */
  readonly largestFile: number | null
  /** Bytes that may still be written; null: the system does not tell. */
  free(): Promise<number | null>
  /** What stands under a name; a link is not followed, and is `other`, as is a folder. */
  look(
    name: string,
  ): Promise<
    { readonly kind: 'none' } | { readonly kind: 'other' } | { readonly kind: 'file'; readonly bytes: number }
  >
  /** A new, empty file of this name. One that stands there is taken away; what is no plain file is left: FolderError `taken`. */
  create(name: string): Promise<PartFile>
  /** The plain file of this name, to be gone on with; null: there is none. */
  reopen(name: string): Promise<PartFile | null>
  /** Takes away the plain file of this name, if there is one. */
  remove(name: string): Promise<void>
  /** Puts a plain file of this text there, whole: in the place of one that stands there, which a reader has till then. */
  replace(name: string, text: string): Promise<void>
  /** What stands in it, in no order; a link is `other`. */
  list(): Promise<readonly { readonly name: string; readonly kind: 'file' | 'folder' | 'other' }[]>
  /** The path of a name in it. */
  pathOf(name: string): string
}

/** A file that grows. Every member rejects with FolderError. */
export interface PartFile {
  readonly bytes: number
  /** Its first bytes, in pieces. */
  read(upTo: number): AsyncIterable<Uint8Array>
  /** Keeps the first bytes alone; what is written comes behind them. */
  cut(bytes: number): Promise<void>
  write(piece: Uint8Array): Promise<void>
  /** Rejects where the name means another file by now, or none. */
  stillThere(): Promise<void>
  /** Everything is on the disk; then it has this name, which was free till now, or held an empty file that `isOurs` says we put there. */
  place(name: string, isOurs: boolean): Promise<void>
  /** Takes it away, unless another file has its name by now. */
  remove(): Promise<void>
  close(): Promise<void>
}

export class FolderError extends Error {
  readonly reason: FolderTrouble
  readonly path: string
  constructor(reason: FolderTrouble, path: string, message: string) {
    super(message)
    this.name = 'FolderError'
    this.reason = reason
    this.path = path
  }
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

/** Files that are too large to hold. */
export interface FileTransport {
  /** Whether a proxy of the system stands between us and this address: it looks names up by itself. */
  isProxied(url: string): Promise<boolean>
  /**
   * One GET. `address`: connects there, whatever the name in the URL means elsewhere; null: through the proxy. No redirect is followed: a 3xx
   * is an answer. Nothing is unpacked.
   */
  get(request: FileRequest, address: string | null): Promise<FileAnswer | WireFault>
}

export interface FileRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** From the start to the head of the answer, and from one piece to the next. */
  readonly silentAtMostInMs: number
  readonly signal: AbortSignal
}

export interface FileAnswer {
  readonly kind: 'answer'
  readonly status: number
  /** As those of WireAnswer. */
  readonly headers: Readonly<Record<string, string>>
  /** Read at most as fast as it is asked for. Throws FileBroken where it breaks off. */
  readonly body: AsyncIterable<Uint8Array>
  /** Ends it; of a body that was read to its end nothing is left to do. */
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
   * Opens or creates. The whole file is checked before it is used; a large store that was closed whole is left to `check`. Rejects with
   * DatabaseError. `in-memory` lasts as long as this run and begins with what can still be read from the file: for going on where the
   * file cannot be written.
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
  /** Runs on a worker thread with its own connection; sees every committed write. `kind` is `rows` where nothing is said. */
  read(sql: string, parameters?: readonly SqlValue[], kind?: ReadKind): Promise<SqlRow[]>
  /** As `read`, for one column of whole numbers of many rows: crosses threads as one buffer. */
  readNumbers(sql: string, parameters?: readonly SqlValue[], kind?: ReadKind): Promise<Float64Array>
  /** Checks the whole file beside its use; missing: that was done when it was opened. Rejects with DatabaseError `damaged`. */
  readonly check?: () => Promise<void>
  /**
   * One transaction on the writing connection (BEGIN IMMEDIATE); throws roll back. Long `work` may let other turns of the event loop
   * by, and waits for nothing else: every other write waits for it.
   */
  write<T>(work: (transaction: Transaction) => T | Promise<T>): Promise<T>
  /** One transaction on the thread that writes: as `write`, and this thread waits for none of it. */
  perform<Input, Answer>(procedure: Procedure<Input, Answer>, input: Input): Promise<Answer>
  close(): Promise<void>
}

/** What may run on the thread that writes: found there by its name (core/procedures.ts). Input and answer are copied (structured clone). */
export interface Procedure<Input, Answer> {
  readonly name: string
  /** Calls that wait beside each other may share a transaction. */
  readonly shared?: true
  readonly run: (transaction: Transaction, input: Input) => Answer
}

/** `rows`: somebody looks at the place where they will stand. `sum`: a pass over many rows; one runs at a time, and no rows wait for it. */
export type ReadKind = 'rows' | 'sum'

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
