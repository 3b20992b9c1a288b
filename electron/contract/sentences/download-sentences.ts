import type { FileChecks } from '../download.ts'
import type { Say } from './sentences.ts'

/** `Published size: matches. Published MD5: not published. Earlier downloads of this version: none.` */
export const checksText = ({ size, md5, ledger }: FileChecks, say: Say): string =>
  say('checked', {
    size: say(`check.${size}`),
    md5: say(`check.${md5}`),
    ledger: say(`ledgerCheck.${ledger ?? 'none'}`),
  })
