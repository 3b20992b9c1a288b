'use strict'
const { EventEmitter } = require('node:events')
const { strict } = require('./world.cjs')

const invokeHandlers = new Map()
const ipcMain = strict(
  'ipcMain',
  Object.assign(new EventEmitter(), {
    handle(channel, handler) {
      if (invokeHandlers.has(channel))
        throw new Error(`Attempted to register a second handler for '${channel}'`)
      invokeHandlers.set(channel, handler)
    },
    handleOnce(channel, handler) {
      this.handle(channel, (...args) => {
        this.removeHandler(channel)
        return handler(...args)
      })
    },
    removeHandler(channel) {
      invokeHandlers.delete(channel)
    },
  }),
)

module.exports = { ipcMain, invokeHandlers }
