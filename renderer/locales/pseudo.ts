type Messages = { readonly [key: string]: string | Messages }

const marked: Readonly<Record<string, string>> = {
  a: 'á',
  b: 'ƀ',
  c: 'ç',
  d: 'ð',
  e: 'é',
  f: 'ƒ',
  g: 'ĝ',
  h: 'ĥ',
  i: 'î',
  j: 'ĵ',
  k: 'ķ',
  l: 'ļ',
  m: 'ɱ',
  n: 'ñ',
  o: 'ö',
  p: 'þ',
  q: 'ǫ',
  r: 'ŕ',
  s: 'š',
  t: 'ţ',
  u: 'û',
  v: 'ṽ',
  w: 'ŵ',
  x: 'ẋ',
  y: 'ý',
  z: 'ž',
  A: 'Å',
  B: 'Ɓ',
  C: 'Ç',
  D: 'Ð',
  E: 'É',
  F: 'Ƒ',
  G: 'Ĝ',
  H: 'Ĥ',
  I: 'Î',
  J: 'Ĵ',
  K: 'Ķ',
  L: 'Ļ',
  M: 'Ṁ',
  N: 'Ñ',
  O: 'Ö',
  P: 'Þ',
  Q: 'Ǫ',
  R: 'Ŕ',
  S: 'Š',
  T: 'Ţ',
  U: 'Û',
  V: 'Ṽ',
  W: 'Ŵ',
  X: 'Ẋ',
  Y: 'Ý',
  Z: 'Ž',
}
const fillers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/**
 * The parts of a message that are not text: `{name}`, `{'literal'}`, linked messages `@:key` and
 * `@.upper:key`.
 */
const notText = /(\{[^}]*\}|@(?:\.\w+)?:(?:[\w.-]+|\([^)]*\)))/

/** How much longer than English the texts become (chosen). */
const LONGER = 0.4

/**
 * `count` additional letters, as another language might need. They form words, because a long text without a
 * space could not wrap.
 */
function filler(count: number): string {
  let text = ''
  for (let place = 0; text.length < count; place += 1) text += ` ${fillers[place % fillers.length] ?? ''}`
  return text.slice(0, count).trimEnd()
}

function pseudoText(text: string): string {
  const pieces = text.split(notText)
  const letters = pieces.filter((_piece, place) => place % 2 === 0).join('').length
  const words = pieces
    .map((piece, place) =>
      place % 2 === 0 ? [...piece].map((letter) => marked[letter] ?? letter).join('') : piece,
    )
    .join('')
  return `⟦${words}${filler(Math.ceil(letters * LONGER))}⟧`
}

/** A message with accents, 40 % longer and in brackets; placeholders, links and plural separators remain. */
export function pseudo(messages: Messages): Messages {
  return Object.fromEntries(
    Object.entries(messages).map(([key, value]) => [
      key,
      typeof value === 'string' ? value.split(' | ').map(pseudoText).join(' | ') : pseudo(value),
    ]),
  )
}
