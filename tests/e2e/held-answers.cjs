'use strict'
// The shell requires this before the program (`electron -r`): the program responds as usual, but one response
// is delayed until a test releases it.
const { ipcMain } = require('electron')

let wish = null
const handle = ipcMain.handle.bind(ipcMain)
ipcMain.handle = (channel, handler) => {
  handle(channel, async (event, method, argument) => {
    const answer = await handler(event, method, argument)
    if (wish?.method === method && JSON.stringify(argument ?? null).includes(wish.part)) {
      const { taken, free } = wish
      wish = null
      taken()
      await free
    }
    return answer
  })
}

/** Delays the next response of this method to an argument that, as JSON, contains this text. */
globalThis.holdAnswer = (method, part) => {
  const taken = Promise.withResolvers()
  const free = Promise.withResolvers()
  wish = { method, part, taken: taken.resolve, free: free.promise }
  globalThis.heldAnswer = { taken: taken.promise, release: free.resolve }
}
