import type { App, IpcMainInvokeEvent, Session, WebPreferences } from 'electron'

/** Pages come from our own scheme: a file: page could read the disk, and http would need a port. */
export const pageOrigin = 'app://headroom'

/**
 * The origin of Vite during `npm run dev`, from ELECTRON_RENDERER_URL. null: none is given, it is not on this
 * computer, or the program is packaged and ignores the variable.
 */
export function devServerOf(address: string | undefined, packaged: boolean): string | null {
  if (packaged || address === undefined || !URL.canParse(address)) return null
  const { protocol, hostname, origin } = new URL(address)
  return protocol === 'http:' && hostname === '127.0.0.1' ? origin : null
}

/**
 * Nothing is inline: styles set by code use the CSSOM. No text becomes elements or script: the policies named
 * are Vue's own, for markup it compiled, and the page's, which accepts only empty text (renderer/main.ts).
 */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types vue default',
].join('; ')

/** The members of a window that the check needs. */
export interface OurWindow {
  isDestroyed(): boolean
  readonly webContents: { readonly id: number; send(channel: string, ...values: unknown[]): void }
}

/**
 * Only the main frame of our own window, showing our own page, may call. `origin`: the origin of our pages.
 */
export function isOurPage(
  event: Pick<IpcMainInvokeEvent, 'sender' | 'senderFrame'>,
  window: OurWindow | null,
  origin: string,
): boolean {
  const frame = event.senderFrame
  return (
    window !== null &&
    !window.isDestroyed() &&
    event.sender.id === window.webContents.id &&
    frame !== null &&
    frame.parent === null &&
    frame.url.startsWith(`${origin}/`)
  )
}

/** The page's permissions. `packaged`: developer tools are not available. */
export const pagePreferences = (preload: string, packaged: boolean): WebPreferences => ({
  preload,
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  webSecurity: true,
  spellcheck: false,
  devTools: !packaged,
})

/**
 * For all contents: no navigation of any frame, no redirect, no new windows, no web views, no permissions.
 * `devServer`: its page may reload itself, because Vite shows some changes in this way; null: there is none.
 */
export function denyTheRest(
  app: Pick<App, 'on'>,
  session: Pick<Session, 'setPermissionRequestHandler' | 'setPermissionCheckHandler'>,
  devServer: string | null,
): void {
  const denyNavigation = (event: { readonly url: string; preventDefault(): void }): void => {
    if (devServer === null || !event.url.startsWith(`${devServer}/`)) event.preventDefault()
  }
  app.on('web-contents-created', (_event, contents) => {
    // Listed individually: the types have a separate overload for each event.
    contents.on('will-navigate', denyNavigation)
    contents.on('will-frame-navigate', denyNavigation)
    contents.on('will-redirect', (event) => event.preventDefault())
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  })
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false))
  session.setPermissionCheckHandler(() => false)
}
