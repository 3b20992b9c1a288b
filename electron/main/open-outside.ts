import { Failed } from '../contract/failure.ts'
import type { Desktop } from '../core/platform.ts'

export interface OpenOutsideDeps {
  /** The address of the running demonstration, as `URL.origin`; null: none runs. */
  readonly demonstrationOrigin: () => string | null
  /**
   * Asks the technician whether this host may be opened, with a system dialog, which the page can neither
   * draw nor close.
   */
  readonly ask: (address: URL) => Promise<boolean>
  /** `shell.openExternal`: it would start any program that claims a scheme. */
  readonly open: (url: string) => Promise<void>
}

/**
 * Decides for every caller. Allowed are https and the running demonstration's own origin, never an address
 * with a name or password in it. For a new host the technician must confirm; while one question is open,
 * further requests are refused.
 */
export function openerOutside({ demonstrationOrigin, ask, open }: OpenOutsideDeps): Desktop['openOutside'] {
  let asking = false
  return async (url, isKnown) => {
    const address = URL.canParse(url) ? new URL(url) : null
    const allowed =
      address !== null &&
      (address.protocol === 'https:' ||
        (address.protocol === 'http:' && address.origin === demonstrationOrigin()))
    if (!allowed || address.username !== '' || address.password !== '')
      throw Failed.invalid(
        'url',
        'Headroom opens only https addresses and those of the running demonstration.',
      )
    if (!isKnown) {
      if (asking) return false
      asking = true
      try {
        if (!(await ask(address))) return false
      } finally {
        asking = false
      }
    }
    await open(address.href)
    return true
  }
}
