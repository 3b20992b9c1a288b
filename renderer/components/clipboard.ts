import { inject, type InjectionKey } from 'vue'

/** Answers whether the text reached the clipboard. Provided by main.ts: parts do not know the link. */
export type CopyText = (text: string) => Promise<boolean>
export const copyTextKey: InjectionKey<CopyText> = Symbol('copy text')

export const useCopyText = (): CopyText => inject(copyTextKey, () => Promise.resolve(false))

/**
 * Rows as a spreadsheet pastes them: a line each, cells parted by tabs. A cell stays one, whatever is in it, and none is a formula (as in a
 * file: README of core/exports).
 */
export const tableText = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((cells) =>
      cells
        .map((cell) => cell.replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' '))
        .map((cell) => (/^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(cell) ? `'${cell}` : cell))
        .join('\t'),
    )
    .join('\n')
