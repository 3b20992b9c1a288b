import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Download, DownloadResult, LedgerEntry, VerifiedFile } from '../../contract/api/downloads.ts'
import { Failed } from '../../contract/failure.ts'
import { checksText } from '../../contract/sentences/download-sentences.ts'
import { unseen } from '../../contract/unseen.ts'
import type { CoreClient } from '../core-client.ts'
import { flag, show, text, type Command, type ExitCode, type Terminal } from '../command.ts'
import { watchRecord } from '../record-watch.ts'
import { UsageError, type ParsedCommand } from '../grammar.ts'
import { approvedVariantTyped, productTyped } from '../product-typed.ts'
import { includedStages, stageOptions } from '../stages.ts'
import { moment, table } from '../table.ts'
import { say } from '../texts.ts'

/** The limit of the contract. */
const verifiedAtOnce = 100
const entriesAtOnce = 500

const detach = {
  detach: { type: 'boolean', help: 'leaves the download to the app, prints its id and ends' },
} as const

export const downloadCommands: readonly Command[] = [
  {
    name: 'firmware download',
    operands: ['PRODUCT', 'VERSION'],
    options: {
      variant: { type: 'string', help: 'use the approved version of this variant' },
      'build-type': { type: 'string', help: 'build type (default: the first of the organization’s list)' },
      bundle: { type: 'string', help: 'the firmware bundle to use, by group or name' },
      to: { type: 'string', help: 'the folder (default: the current one); created if its parent exists' },
      'accept-changed': {
        type: 'string',
        help: 'the reason for accepting a changed file of a known version',
      },
      'accept-revoked': { type: 'boolean', help: 'accepts a revoked version' },
      ...detach,
      ...stageOptions,
    },
    summary: 'downloads a firmware file, checks it and saves it to a folder',
    run: async (core, given, terminal) => {
      const [requested = '', version = ''] = given.operands
      const reason = text(given, 'accept-changed')
      if (reason?.replaceAll(unseen, '').trim() === '')
        throw new UsageError('firmware download: --accept-changed needs a reason.')
      const product = await productTyped(core, requested, terminal)
      const variant = approvedVariantTyped(product, version, given)
      const bundle = text(given, 'bundle')
      const stages = includedStages(given)
      const { id } = await core.handlers.downloads.start({
        vendorId: product.vendorId,
        productId: product.productId,
        version,
        buildType: text(given, 'build-type'),
        ...(variant === null ? {} : { variant }),
        ...(bundle === null ? {} : { bundle }),
        folder: resolve(terminal.folder, text(given, 'to') ?? '.'),
        acceptChanged: reason,
        acceptRevoked: flag(given, 'accept-revoked'),
        ...(stages === null ? {} : { includeStages: stages }),
      })
      return (await left(core, id, given, terminal)) ?? follow(core, id, given, terminal)
    },
  },
  {
    name: 'firmware downloads',
    summary: 'lists the downloads',
    run: async (core, given, terminal) => {
      const { total, downloads } = await core.handlers.downloads.list()
      return show(given, terminal, { total, downloads: downloads.map(rowOf) }, () =>
        total === 0
          ? 'There are no downloads.'
          : table(
              ['Id', 'State', 'File', 'Product', 'Version', 'Bytes', 'Of', 'Started'],
              downloads.map((one) => [
                one.id,
                one.state,
                one.file,
                `${one.vendorId}/${one.productId}`,
                one.version,
                one.bytes,
                one.size,
                moment(one.startedAt),
              ]),
            ),
      )
    },
  },
  {
    name: 'firmware downloads pause',
    operands: ['ID'],
    summary: 'pauses a download and keeps the part downloaded so far',
    run: (core, given, terminal) => change(core, 'pause', given, terminal),
  },
  {
    name: 'firmware downloads resume',
    operands: ['ID'],
    options: detach,
    summary: 'resumes a download that is paused, failed or waiting',
    run: async (core, given, terminal) => {
      const { id } = await core.handlers.downloads.resume({ id: given.operands[0] ?? '' })
      return (await left(core, id, given, terminal)) ?? follow(core, id, given, terminal)
    },
  },
  {
    name: 'firmware downloads cancel',
    operands: ['ID'],
    summary: 'cancels a download and deletes the part downloaded so far',
    run: (core, given, terminal) => change(core, 'cancel', given, terminal),
  },
  {
    name: 'firmware verify',
    operands: ['FILE…'],
    summary: 'identifies files by their hashes, offline',
    run: async (core, given, terminal) => {
      const files: VerifiedFile[] = []
      // Where the shell leaves a pattern as it is typed.
      const named = given.operands.flatMap((word) => {
        const found = /[*?]/.test(word) ? globSync(word, { cwd: terminal.folder }).toSorted() : []
        return found.length === 0 ? [word] : found
      })
      for (let from = 0; from < named.length; from += verifiedAtOnce) {
        const typed = named.slice(from, from + verifiedAtOnce)
        const found = await core.handlers.downloads.verify({
          files: typed.map((file) => resolve(terminal.folder, file)),
        })
        files.push(...found.map((one, index) => ({ ...one, file: typed[index] ?? one.file })))
      }
      show(given, terminal, { files }, () =>
        files.map(
          ({ result, by, file, sha256, products }) =>
            `${result}${by === null ? '' : ` by ${by}`}  ${sha256 ?? ''}  ${file}${products.map(({ name, version }) => `  ${name} ${version}`).join(',')}`,
        ),
      )
      for (const { file, result } of files)
        if (result === 'unreadable')
          terminal.say(`${file} cannot be read: it does not exist, is not a file, or may not be opened.`)
      if (files.some(({ result }) => result === 'changed' || result === 'unreadable')) return 3
      return files.some(({ result }) => result === 'unknown') ? 4 : 0
    },
  },
  {
    name: 'firmware ledger',
    operands: ['[PRODUCT]'],
    summary: 'lists the hashes of downloaded firmware versions',
    run: async (core, given, terminal) => {
      const [named] = given.operands
      const found = named === undefined ? null : await productTyped(core, named, terminal)
      const product = found && { vendorId: found.vendorId, productId: found.productId }
      const entries: LedgerEntry[] = []
      let total = 0
      do {
        const page = await core.handlers.downloads.ledger({
          product,
          start: entries.length,
          count: entriesAtOnce,
        })
        entries.push(...page.entries)
        total = page.entries.length === 0 ? entries.length : page.total
      } while (entries.length < total)
      return show(given, terminal, { total, entries }, () =>
        total === 0
          ? `No firmware file ${found === null ? '' : `of ${found.name} `}has been downloaded yet.`
          : table(
              ['Product', 'Version', 'Build type', 'SHA-256', 'Bytes', 'MD5', 'Host', 'At', ''],
              entries.map((one) => [
                `${one.vendorId}/${one.productId}`,
                one.version,
                one.buildType,
                one.sha256,
                one.bytes,
                one.md5,
                one.host,
                moment(one.at),
                [
                  one.superseded ? 'superseded' : '',
                  one.accepted === null ? '' : `accepted by ${one.accepted.who}: ${one.accepted.reason}`,
                ]
                  .filter(Boolean)
                  .join(', '),
              ]),
            ),
      )
    },
  },
]

function rowOf(download: Download): object {
  const { id, vendorId, productId, name, version, file, state, bytes, size, startedAt } = download
  return { id, vendorId, productId, name, version, file, state, bytes, size, startedAt }
}

async function change(
  core: CoreClient,
  how: 'pause' | 'cancel',
  given: ParsedCommand,
  terminal: Terminal,
): Promise<ExitCode> {
  const changed = await core.handlers.downloads[how]({ id: given.operands[0] ?? '' })
  return show(given, terminal, rowOf(changed), () => `${changed.file}: ${changed.state}`)
}

/** With `--detach` the owner continues it alone. null: it is followed. */
async function left(
  core: CoreClient,
  id: string,
  given: ParsedCommand,
  terminal: Terminal,
): Promise<ExitCode | null> {
  if (!flag(given, 'detach')) return null
  await core.handlers.downloads.keep({ id })
  return show(given, terminal, { id }, () => id)
}

/** Until the file is complete, has failed, is paused or cancelled; Ctrl+C pauses it. Rejects with Failed. */
async function follow(
  core: CoreClient,
  id: string,
  given: ParsedCommand,
  terminal: Terminal,
): Promise<ExitCode> {
  // A script reads the failure from standard error, so nothing unrelated is written there.
  const progress = flag(given, 'json') ? () => undefined : terminal.progress
  core.workStored({ of: `download ${id}`, resume: `firmware downloads resume ${id}` })
  const download = await ended(core, id, { ...terminal, progress })
  terminal.progress(null)
  const { state, failure, result } = download
  if (state === 'done' && result !== null) {
    return show(given, terminal, documentOf(download, result), () => linesOf(download, result))
  }
  if (state !== 'paused') throw new Failed(failure ?? { kind: 'cancelled' })
  terminal.say(`Paused. Resume it with headroom firmware downloads resume ${id}`)
  show(given, terminal, rowOf(download), () => `${download.file}: ${download.state}`)
  return 4
}

async function ended(core: CoreClient, id: string, terminal: Terminal): Promise<Download> {
  const { downloads } = core.handlers
  let reported = 0
  let { changes } = core.owner()
  const watch = watchRecord(core, 'downloads.changed', id)
  const stop = terminal.onInterrupt(() => void downloads.pause({ id }).then(watch.wake, watch.wake))
  try {
    for (;;) {
      const changed = watch.changed()
      const download = await downloads.get({ id })
      const { state, begunAnew } = download
      if (core.owner().changes !== changes && ['paused', 'queued', 'running'].includes(state)) {
        changes = core.owner().changes
        await downloads.resume({ id })
        continue
      }
      for (const why of begunAnew.slice(reported))
        terminal.say(say('downloadedAgain', { file: download.file, why: say(`anew.${why}`) }))
      reported = Math.max(reported, begunAnew.length)
      if (state !== 'running' && state !== 'queued') return download
      terminal.progress(progressText(download))
      await changed
    }
  } finally {
    stop()
    watch.stop()
  }
}

function progressText({ file, state, bytes, size, rate, secondsLeft, triesAgainAt }: Download): string {
  if (state === 'queued') return `${file} is waiting`
  if (triesAgainAt !== null)
    return `${file} was interrupted at ${megabytes(bytes)}; Headroom tries again soon`
  const of = size === null ? megabytes(bytes) : `${megabytes(bytes)} of ${megabytes(size)}`
  const pace = rate === null ? [] : [`${megabytes(rate)} a second`]
  const duration = secondsLeft === null ? [] : [`${secondsLeft} s left`]
  return [`${file}: ${of}`, ...pace, ...duration].join(', ')
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

function documentOf(download: Download, result: DownloadResult): object {
  const { vendorId, productId, name, version, buildType, bundle, folder, file, host } = download
  const { bytes, sha256, md5, already, resumedFrom, checks } = result
  return {
    product: { vendorId, productId, name },
    version,
    buildType,
    bundle,
    file: resolve(folder, file),
    bytes,
    sha256,
    md5,
    host,
    already,
    resumedFrom,
    checks,
  }
}

function linesOf(download: Download, result: DownloadResult): string[] {
  return [
    `${resolve(download.folder, download.file)}${result.already ? ' is already there' : ''}`,
    `${result.bytes} bytes, SHA-256 ${result.sha256}, MD5 ${result.md5}`,
    `From ${download.host}. ${checksText(result.checks, say)}`,
  ]
}
