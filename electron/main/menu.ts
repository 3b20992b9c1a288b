import type { MenuItemConstructorOptions } from 'electron'

export interface MenuActions {
  readonly openPreferences: () => void
  readonly installCommandLine: () => void
}

/** The menu bar of macOS: without Reload, which throws away what somebody has typed. Other systems have none. */
export const menuTemplate = ({
  openPreferences,
  installCommandLine,
}: MenuActions): MenuItemConstructorOptions[] => [
  {
    label: 'Headroom',
    submenu: [
      { role: 'about' },
      { type: 'separator' },
      { label: 'Preferences…', accelerator: 'Command+,', click: openPreferences },
      { label: 'Install Command Line', click: installCommandLine },
      { type: 'separator' },
      { role: 'services' },
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      { role: 'quit' },
    ],
  },
  { role: 'fileMenu' },
  { role: 'editMenu' },
  {
    label: 'View',
    submenu: [
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
    ],
  },
  { role: 'windowMenu' },
]
