/**
 * The name of a file is ours: product and version, and of the link's own name only an ending that is harmless. Legal on exFAT and Windows.
 */
export interface NamedFile {
  readonly product: string
  readonly version: string
  readonly buildType: string
  /** Of the link. */
  readonly url: string
}

/** Of the whole name, without the `.part` behind it (command line, Firmware). */
const lettersAtMost = 120
/** A name of ext4 or APFS has 255 bytes; `.part` takes five. */
const bytesAtMost = 250
/** Endings that a system would run, open or mount when somebody clicks. Chosen; firmware has none of them (observed, 2.15). */
const harmful = new Set(
  `app appimage apk appx bat bash chm cmd com command cpl crt csh deb desktop dll dmg docm drv exe gadget hlp hta html htm inf ins iso
  jar js jse jsp ksh lnk mhtml mjs msc msi msix msp mst osx pif pkg pl ps1 psm1 py pyw rb reg rpm run scf scpt scr sct service sh shb shs svg
  swf sys terminal tool url vb vbe vbs vhd vhdx webloc workflow ws wsc wsf wsh xhtml xlsm xml zsh`
    .split(/\s+/)
    .filter((ending) => ending !== ''),
)
const reserved = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i

export function fileNameOf({ product, version, buildType, url }: NamedFile): string {
  const build = buildType.toLowerCase() === 'release' ? '' : ` ${buildType}`
  return legalName(product, ` ${version}${build}`, endingOf(url), 'firmware')
}

/** `tail` is kept where the whole is too long; `otherwise`: the name where nothing is left of it. */
export function legalName(head: string, tail: string, ending: string, otherwise: string): string {
  const stem = plain(`${head}${tail}`) || otherwise
  const shortened = shorten(stem, tail, lettersAtMost - ending.length, bytesAtMost - ending.length)
  // Windows takes what stands before the first dot for the name.
  const isDevice = reserved.test((shortened.split('.')[0] ?? '').trim())
  return `${isDevice ? `_${shortened.slice(0, lettersAtMost - ending.length - 1)}` : shortened}${ending}`
}

/** Letters and digits alone; `.bin` where there is none, or one that is not harmless. */
function endingOf(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  let name = last
  try {
    name = decodeURIComponent(last)
  } catch {
    // A damaged escape ends in no ending of ours.
  }
  const ending = /[^.\\/]\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase()
  return ending === undefined || harmful.has(ending) ? '.bin' : `.${ending}`
}

/** Without control and formatting characters, halves of characters, and what Windows and exFAT keep for themselves. */
const plain = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFD]/gu, ' ')
    .replace(/[<>:"/\\|?*]/g, '-')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')

/** The product is cut before the version is. */
function shorten(stem: string, tail: string, letters: number, bytes: number): string {
  const end = plain(tail)
  const fits = (text: string): boolean => text.length <= letters && Buffer.byteLength(text) <= bytes
  if (fits(stem)) return stem
  const cut = (text: string, room: (text: string) => boolean): string => {
    const whole = [...text]
    while (whole.length > 0 && !room(whole.join(''))) whole.pop()
    return whole.join('').replace(/[. ]+$/, '')
  }
  const isTail = end !== '' && stem.endsWith(end) && fits(`x ${end}`)
  return isTail
    ? `${cut(stem.slice(0, stem.length - end.length), (head) => fits(`${head} ${end}`))} ${end}`.trim()
    : cut(stem, fits)
}
