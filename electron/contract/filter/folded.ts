/**
 * Text in the form used for search: lower case, without diacritics (`Å` is `a`), so that both sides of a
 * comparison agree.
 */
export function folded(text: string): string {
  // True for nearly every name and serial: repeated decomposition would be a tenth of the cost of writing a
  // row.
  if (/^[ -~]*$/.test(text)) return text.toLowerCase()
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
