/** The first word of all names with a space after it, as a vendor's; empty: they share none, or there is only one. */
export function vendorWord(names: readonly string[]): string {
  const word = `${names[0]?.split(' ')[0] ?? ''} `
  return names.length > 1 && names.every((name) => name.startsWith(word)) ? word : ''
}
