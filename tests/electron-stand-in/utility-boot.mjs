// Runs first in a utility process: gives it process.parentPort as Electron does.
import { EventEmitter } from 'node:events'

const waiting = []
class ParentPort extends EventEmitter {
  constructor() {
    super()
    // Messages wait for the first listener.
    this.on('newListener', (name) => {
      if (name !== 'message') return
      process.nextTick(() => {
        for (const data of waiting.splice(0)) this.emit('message', { data, ports: [] })
      })
    })
  }
  postMessage(message) {
    if (process.connected) process.send(message)
  }
  start() {}
  pause() {}
}
process.type = 'utility'
process.parentPort = new ParentPort()
process.on('message', (data) => {
  if (process.parentPort.listenerCount('message') === 0) waiting.push(data)
  else process.parentPort.emit('message', { data, ports: [] })
})
// A utility process never outlives the program.
process.on('disconnect', () => process.exit(0))
