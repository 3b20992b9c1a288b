'use strict'
// The shell requires this before the program (`electron -r`): the program answers as ever, and one answer is kept back until a journey lets it go.
const { ipcMain } = require('electron')

let wish = null
const handle = ipcMain.handle.bind(ipcMain)
ipcMain.handle = (channel, handler) => {
  handle(channel, async (event, argument) => {
    const answer = await handler(event, argument)
    if (wish?.channel === channel && JSON.stringify(argument ?? null).includes(wish.part)) {
      const { taken, free } = wish
      wish = null
      taken()
      await free
    }
    return answer
  })
}

/** Keeps back the next answer of this channel to an argument that holds these words, as JSON. */
globalThis.holdAnswer = (channel, part) => {
  const taken = Promise.withResolvers()
  const free = Promise.withResolvers()
  wish = { channel, part, taken: taken.resolve, free: free.promise }
  globalThis.heldAnswer = { taken: taken.promise, release: free.resolve }
}
