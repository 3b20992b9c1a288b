import { inject, type InjectionKey } from 'vue'

/** Returns whether the text reached the clipboard. Provided by main.ts: components do not know the API. */
export type CopyText = (text: string) => Promise<boolean>
export const copyTextKey: InjectionKey<CopyText> = Symbol('copy text')

export const useCopyText = (): CopyText => inject(copyTextKey, () => Promise.resolve(false))

/**
 * Rows in the form that spreadsheets paste: one line each, cells separated by tabs. Every text remains one
 * cell, and none is a formula (as in files: README of core/exports).
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
