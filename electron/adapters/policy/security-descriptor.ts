/** Administrators and SYSTEM, as SDDL writes them. */
const administrators: ReadonlySet<string> = new Set(['BA', 'SY', 'S-1-5-32-544', 'S-1-5-18'])

/** Rights of files and folders that change nothing, as SDDL abbreviates them. */
const readingWords: ReadonlySet<string> = new Set(['FR', 'FX', 'GR', 'GX', 'RC', 'CC', 'SW', 'WP', 'LO'])
/** Their bits: read and list, extended attributes, execute, attributes, read control, synchronize, generic read and execute. */
const readingBits = 0x1 | 0x8 | 0x20 | 0x80 | 0x20000 | 0x100000 | 0xa0000000

/**
 * Whether a file or folder with this security descriptor (SDDL, with owner and access list) belongs to
 * Administrators or SYSTEM, and nobody else may write to it.
 */
export function ownerAloneWrites(sddl: string): boolean {
  const [, owner = '', list] = /^O:(.+?)(?=G:|D:)(?:G:.+?(?=D:))?D:[A-Z]*((?:\([^()]*\))+)$/.exec(sddl) ?? []
  if (list === undefined || !administrators.has(owner)) return false
  return [...list.matchAll(/\(([^()]*)\)/g)].every(([, entry = '']) => {
    const [type = '', flags = '', rights = '', , , account = ''] = entry.split(';')
    if (type === 'D' || administrators.has(account)) return true
    // CREATOR OWNER is no account: it only says what a new entry of the folder gets.
    if (flags.includes('IO') && (account === 'CO' || account === 'S-1-3-0')) return true
    return type === 'A' && onlyReads(rights)
  })
}

const onlyReads = (rights: string): boolean =>
  /^0x[0-9a-f]{1,8}$/i.test(rights)
    ? (Number(rights) & ~readingBits) === 0
    : (rights.match(/..?/g) ?? []).every((word) => readingWords.has(word))
