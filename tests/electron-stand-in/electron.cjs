'use strict'
const { protocol } = require('./addresses.cjs')
const { app, ready } = require('./application.cjs')
const { getBrowser } = require('./chromium.cjs')
const desktop = require('./desktop.cjs')
const { ipcMain } = require('./ipc.cjs')
const { net, session } = require('./sessions.cjs')
const { utilityProcess } = require('./utility-process.cjs')
const { WebContents } = require('./web-contents.cjs')
const { BrowserWindow } = require('./window.cjs')
const { strict, world } = require('./world.cjs')

const webContents = {
  getAllWebContents: WebContents.getAllWebContents,
  fromId: WebContents.fromId,
  fromDevToolsTargetId: WebContents.fromDevToolsTargetId,
  getFocusedWebContents: WebContents.getFocusedWebContents,
}

module.exports = strict('electron', {
  app,
  BrowserWindow,
  webContents,
  ipcMain,
  protocol,
  session,
  net,
  utilityProcess: strict('utilityProcess', utilityProcess),
  ...desktop,
  __init(cfg) {
    world.cfg = cfg
  },
  __startBrowser: () => getBrowser(),
  __ready: ready,
})
