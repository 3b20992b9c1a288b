'use strict'
// The parts of the desktop around the window: calls are recorded or get a fixed result, and nothing is shown.
const crypto = require('node:crypto')
const { EventEmitter } = require('node:events')
const fs = require('node:fs')
const path = require('node:path')
const { world, strict } = require('./world.cjs')

const nothing = () => {}
const log = (what, value, result) => {
  process.stderr.write(`[stand-in] ${what} ${JSON.stringify(value)}\n`)
  return result
}

class Menu extends EventEmitter {
  constructor() {
    super()
    this.items = []
  }
  append(item) {
    this.items.push(item)
  }
  popup() {}
  closePopup() {}
  getMenuItemById(id) {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id)
      if (found) return found
    }
    return null
  }
  static buildFromTemplate(template) {
    const menu = new Menu()
    for (const item of template) menu.append(item instanceof MenuItem ? item : new MenuItem(item))
    return menu
  }
  static setApplicationMenu(menu) {
    Menu.current = menu
  }
  static getApplicationMenu() {
    return Menu.current ?? null
  }
}

/** The events that Electron has on each system; a test that simulates another one is wrong about the system. */
const powerEvents = {
  linux: ['suspend', 'resume', 'shutdown', 'on-ac', 'on-battery'],
  win32: ['suspend', 'resume', 'on-ac', 'on-battery', 'lock-screen', 'unlock-screen'],
  darwin: [
    ...['suspend', 'resume', 'shutdown', 'on-ac', 'on-battery', 'lock-screen', 'unlock-screen'],
    ...['user-did-become-active', 'user-did-resign-active', 'thermal-state-change', 'speed-limit-change'],
  ],
}
class PowerMonitor extends EventEmitter {
  getSystemIdleTime = () => 0
  getSystemIdleState = () => 'active'
  isOnBatteryPower = () => false
  emit(name, ...values) {
    if (name !== 'newListener' && !powerEvents[process.platform]?.includes(name))
      throw new Error(`electron stand-in: ${process.platform} has no power event ${name}`)
    return super.emit(name, ...values)
  }
}

class MenuItem {
  constructor(o) {
    Object.assign(
      this,
      {
        type: o.submenu ? 'submenu' : 'normal',
        enabled: true,
        visible: true,
        checked: false,
        label: o.role ?? '',
      },
      o,
    )
    if (Array.isArray(o.submenu)) this.submenu = Menu.buildFromTemplate(o.submenu)
    this.click = (event, window) => o.click?.(this, window ?? world.focused ?? undefined, event ?? {})
  }
}

class Notification extends EventEmitter {
  static shown = []
  constructor(o) {
    super()
    Object.assign(this, o)
    Notification.shown.push(this)
  }
  show() {
    this.emit('show')
  }
  close() {
    this.emit('close')
  }
  static isSupported() {
    return true
  }
}

class Tray extends EventEmitter {
  setToolTip() {}
  setContextMenu(menu) {
    this.menu = menu
  }
  setImage() {}
  destroy() {}
  isDestroyed() {
    return false
  }
}

const encryptionKey = () => {
  const file = path.join(world.app.getPath('userData'), 'standin.key')
  fs.mkdirSync(path.dirname(file), { recursive: true })
  if (!fs.existsSync(file)) fs.writeFileSync(file, crypto.randomBytes(32), { mode: 0o600 })
  return fs.readFileSync(file)
}
const safeStorage = strict('safeStorage', {
  isEncryptionAvailable: () => true,
  getSelectedStorageBackend: () => 'basic_text',
  setUsePlainTextEncryption: nothing,
  encryptString(text) {
    const iv = crypto.randomBytes(12)
    const cipher = crypto.createCipheriv('aes-256-gcm', encryptionKey(), iv)
    return Buffer.concat([
      Buffer.from('si1'),
      iv,
      cipher.update(text, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ])
  },
  decryptString(bytes) {
    if (bytes.subarray(0, 3).toString() !== 'si1')
      throw new Error('Error while decrypting the ciphertext provided to safeStorage.decryptString.')
    const decipher = crypto.createDecipheriv('aes-256-gcm', encryptionKey(), bytes.subarray(3, 15))
    decipher.setAuthTag(bytes.subarray(-16))
    return decipher.update(bytes.subarray(15, -16), undefined, 'utf8') + decipher.final('utf8')
  },
})

let clip = ''
const clipboard = strict('clipboard', {
  readText: () => clip,
  writeText: (text) => {
    clip = String(text)
  },
  clear: () => {
    clip = ''
  },
})

const display = {
  id: 1,
  bounds: { x: 0, y: 0, width: 1280, height: 800 },
  workArea: { x: 0, y: 0, width: 1280, height: 800 },
  workAreaSize: { width: 1280, height: 800 },
  scaleFactor: 1,
}

let themeSource = 'system'
const nativeTheme = Object.assign(new EventEmitter(), {
  shouldUseHighContrastColors: false,
  shouldUseInvertedColorScheme: false,
})
Object.defineProperties(nativeTheme, {
  // Pages get the choice as prefers-color-scheme, as in Electron.
  themeSource: {
    get: () => themeSource,
    set(source) {
      if (!['system', 'light', 'dark'].includes(source))
        throw new TypeError(`Error processing argument: ${source}`)
      if (source === themeSource) return
      themeSource = source
      world.colorScheme = source === 'system' ? '' : source
      for (const w of world.windows) w.webContents.__colorScheme()
      nativeTheme.emit('updated')
    },
  },
  shouldUseDarkColors: { get: () => themeSource === 'dark' },
})

module.exports = {
  Menu,
  MenuItem,
  Notification,
  Tray,
  safeStorage,
  clipboard,
  shell: strict('shell', {
    openExternal: async (url) => log('shell.openExternal', url),
    openPath: async (file) => log('shell.openPath', file, ''),
    showItemInFolder: (file) => log('shell.showItemInFolder', file),
    beep: nothing,
    trashItem: async (file) => fs.promises.rm(file, { recursive: true }),
  }),
  dialog: strict('dialog', {
    showMessageBox: async (...args) => {
      const o = args.at(-1)
      return log('dialog.showMessageBox', o.message, {
        response: o.cancelId ?? o.defaultId ?? 0,
        checkboxChecked: false,
      })
    },
    showOpenDialog: async () => ({ canceled: true, filePaths: [] }),
    showSaveDialog: async () => ({ canceled: true, filePath: '' }),
    showErrorBox: (title, content) => log('dialog.showErrorBox', [title, content]),
  }),
  nativeTheme: strict('nativeTheme', nativeTheme),
  nativeImage: strict('nativeImage', {
    createEmpty: () => ({ isEmpty: () => true }),
    createFromPath: (file) => ({ isEmpty: () => !fs.existsSync(file) }),
  }),
  screen: strict(
    'screen',
    Object.assign(new EventEmitter(), {
      getPrimaryDisplay: () => display,
      getAllDisplays: () => [display],
      getDisplayMatching: () => display,
      getDisplayNearestPoint: () => display,
    }),
  ),
  powerMonitor: strict('powerMonitor', new PowerMonitor()),
  powerSaveBlocker: strict('powerSaveBlocker', { start: () => 1, stop: () => true, isStarted: () => false }),
  globalShortcut: strict('globalShortcut', {
    register: () => true,
    unregister: nothing,
    unregisterAll: nothing,
    isRegistered: () => false,
  }),
  crashReporter: strict('crashReporter', { start: nothing }),
  systemPreferences: strict('systemPreferences', new EventEmitter()),
}
