/**
 * The file name is built here: product and version, and from the link's own name only a harmless extension.
 * Valid on exFAT and Windows.
 */
export interface NamedFile {
  readonly product: string
  readonly version: string
  readonly buildType: string
  /** The address of the link. */
  readonly url: string
}

/** Length of the whole name, without the appended `.part` (chosen). */
const lettersAtMost = 120
/** ext4 and APFS allow 255 bytes for a name; `.part` takes five. */
const bytesAtMost = 250
/**
 * Extensions that a system would run, open or mount on a click. Firmware has none of them (services.md#A22);
 * add one that a system learns to open.
 */
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

/** `tail` remains if the whole is too long; `otherwise`: the name if nothing else remains. */
export function legalName(head: string, tail: string, ending: string, otherwise: string): string {
  const stem = plain(`${head}${tail}`) || otherwise
  const shortened = shorten(stem, tail, lettersAtMost - ending.length, bytesAtMost - ending.length)
  // Windows checks the part before the first dot for reserved names.
  const isDevice = reserved.test((shortened.split('.')[0] ?? '').trim())
  return `${isDevice ? `_${shortened.slice(0, lettersAtMost - ending.length - 1)}` : shortened}${ending}`
}

/** Only letters and digits; `.bin` if there is no extension or it is not harmless. */
function endingOf(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  let name = last
  try {
    name = decodeURIComponent(last)
  } catch {
    // A malformed escape gives no extension.
  }
  const ending = /[^.\\/]\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase()
  return ending === undefined || harmful.has(ending) ? '.bin' : `.${ending}`
}

/** Without control and format characters, lone surrogates, and characters reserved by Windows and exFAT. */
const plain = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFD]/gu, ' ')
    .replace(/[<>:"/\\|?*]/g, '-')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')

/** The product is shortened before the version. */
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
