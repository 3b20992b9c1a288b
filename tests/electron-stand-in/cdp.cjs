'use strict'
// Minimal flat-session CDP client over Chromium's pipe. Not over its WebSocket, because there a busy program
// received only one message per turn, and responses were seconds late.
const { EventEmitter } = require('node:events')
class Session extends EventEmitter {
  constructor(conn, id) {
    super()
    this.conn = conn
    this.id = id
    this.setMaxListeners(0)
  }
  send(method, params = {}) {
    return this.conn.send(method, params, this.id)
  }
}
class Cdp {
  /** `pipes`: Chromium's --remote-debugging-pipe, where each message ends with a zero byte. */
  constructor([writing, reading]) {
    this.writing = writing
    this.n = 0
    this.wait = new Map()
    this.sessions = new Map()
    this.root = new Session(this, undefined)
    let rest = []
    reading.on('data', (chunk) => {
      for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0)) {
        this.hear(JSON.parse(Buffer.concat([...rest, chunk.subarray(0, end)]).toString()))
        rest = []
        chunk = chunk.subarray(end + 1)
      }
      if (chunk.length > 0) rest.push(chunk)
    })
    reading.on('close', () => {
      for (const w of this.wait.values()) w.no(Object.assign(new Error('browser gone'), { cdp: true }))
      this.wait.clear()
      this.root.emit('disconnected')
    })
  }
  hear(m) {
    if (!m.id) return (m.sessionId ? this.sessions.get(m.sessionId) : this.root)?.emit(m.method, m.params)
    const w = this.wait.get(m.id)
    this.wait.delete(m.id)
    if (m.error) w?.no(Object.assign(new Error(`${w.method}: ${m.error.message}`), { cdp: true }))
    else w?.ok(m.result)
  }
  send(method, params, sessionId) {
    const id = ++this.n
    return new Promise((ok, no) => {
      this.wait.set(id, { ok, no, method })
      this.writing.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    })
  }
  async attach(targetId) {
    const { sessionId } = await this.root.send('Target.attachToTarget', { targetId, flatten: true })
    const s = new Session(this, sessionId)
    this.sessions.set(sessionId, s)
    return s
  }
}
module.exports = { Cdp }
