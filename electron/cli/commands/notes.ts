import type { ReleaseNote, ReleaseNotes } from '../../contract/api/release-notes.ts'
import { show, text, type Command } from '../command.ts'
import { UsageError } from '../grammar.ts'
import { productTyped } from '../product-typed.ts'

export const notesCommands: readonly Command[] = [
  {
    name: 'notes',
    operands: ['PRODUCT'],
    options: {
      version: { type: 'string', help: 'notes of this version; with --since, the last one' },
      since: {
        type: 'string',
        help: 'notes of all later versions, up to --version or the newest that is not revoked',
      },
    },
    summary: 'shows the release notes of a product and links to its pages',
    run: async (core, given, terminal) => {
      const [version, since] = [text(given, 'version'), text(given, 'since')]
      if (since !== null && !/^v?\d/i.test(since))
        throw new UsageError(`notes: --since is a version, not "${since}".`)
      const { vendorId, productId, name } = await productTyped(core, given.operands[0] ?? '', terminal)
      const found = await core.handlers.releaseNotes.get({
        vendorId,
        productId,
        ...(version === null ? {} : { version }),
        ...(since === null ? {} : { since }),
      })
      const { record, notes, withoutText, other, observedAt, fromCache } = found
      return show(
        given,
        terminal,
        {
          product: { vendorId, productId, name },
          notes: notes.map(({ blocks: _, ...note }) => note),
          withoutText,
          links: (record?.links ?? []).map(({ kind, url, host }) => ({ kind, url, host })),
          pictures: record?.images ?? [],
          other,
          raw: record?.raw ?? null,
          observedAt,
          fromCache,
        },
        () => peoplesLines(found, name, version !== null || since !== null),
      )
    },
  },
]

const peoplesLines = (
  { record, notes, withoutText, other }: ReleaseNotes,
  name: string,
  isNarrowed: boolean,
): readonly string[] => [
  ...(record === null ? [`Not published: the product content does not list ${name}.`] : [record.title]),
  ...notes.flatMap((note) => [
    '',
    headingOf(note),
    ...note.text.split('\n'),
    ...(note.cut ? [shortened] : []),
  ]),
  ...(notes.length > 0
    ? ['']
    : isNarrowed && withoutText.length === 0
      ? ['No matching notes are published.']
      : []),
  ...(withoutText.length === 0 ? [] : [`No text is published for ${withoutText.join(', ')}.`]),
  ...(other.length === 0 ? [] : [`${other.length} not understood: --json shows it as received.`]),
  ...(record?.links ?? []).map(
    ({ kind, url, label, offered }) =>
      `${kind.padEnd(14)} ${url}  ${label}${offered ? '' : ' (not https: not to be opened)'}`,
  ),
  ...(record?.links.length === 0 ? ['The content record contains no links.'] : []),
]

const shortened = '(shortened: --json shows the record as received)'

const headingOf = ({ version, revoked }: ReleaseNote): string =>
  version === null ? 'All versions:' : `${version}${revoked ? ' (revoked)' : ''}:`
