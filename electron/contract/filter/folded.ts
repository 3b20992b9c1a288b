/** Text as it is searched: lower case, without marks on letters (`Å` is `a`), so that both sides of a comparison agree. */
export function folded(text: string): string {
  // Nearly every name and serial: decomposing it again and again is a tenth of what writing a row costs.
  if (/^[ -~]*$/.test(text)) return text.toLowerCase()
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
