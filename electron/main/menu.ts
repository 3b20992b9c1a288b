import type { MenuItemConstructorOptions } from 'electron'

export interface MenuActions {
  readonly openPage: (hash: string) => void
  readonly installCommandLine: () => void
}

/** The menu bar of macOS: without Reload, which throws away what somebody has typed. Other systems have none. */
export const menuTemplate = ({ openPage, installCommandLine }: MenuActions): MenuItemConstructorOptions[] => [
  {
    label: 'Headroom',
    submenu: [
      { role: 'about' },
      { type: 'separator' },
      { label: 'Preferences…', accelerator: 'Command+,', click: () => openPage('#/preferences') },
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
  { role: 'help', submenu: [{ label: 'Headroom Help', click: () => openPage('#/help') }] },
]
