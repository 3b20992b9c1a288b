import electron from './electron.cjs'

export default electron
export const { app, BrowserWindow, webContents, ipcMain, protocol, session, net, utilityProcess } = electron
export const {
  Menu,
  MenuItem,
  Notification,
  Tray,
  shell,
  dialog,
  safeStorage,
  clipboard,
  nativeTheme,
  nativeImage,
} = electron
export const { screen, powerMonitor, powerSaveBlocker, globalShortcut, crashReporter, systemPreferences } =
  electron
