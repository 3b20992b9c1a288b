'use strict'
// Minimal flat-session CDP client on Node's built-in WebSocket.
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
  static async connect(url) {
    const ws = new WebSocket(url)
    await new Promise((ok, no) => {
      ws.onopen = ok
      ws.onerror = () => no(new Error('cannot reach ' + url))
    })
    return new Cdp(ws)
  }
  constructor(ws) {
    this.ws = ws
    this.n = 0
    this.wait = new Map()
    this.sessions = new Map()
    this.root = new Session(this, undefined)
    ws.onmessage = ({ data }) => {
      const m = JSON.parse(data)
      if (m.id) {
        const w = this.wait.get(m.id)
        this.wait.delete(m.id)
        if (m.error) w.no(Object.assign(new Error(`${w.method}: ${m.error.message}`), { cdp: true }))
        else w.ok(m.result)
      } else (m.sessionId ? this.sessions.get(m.sessionId) : this.root)?.emit(m.method, m.params)
    }
    ws.onclose = () => {
      for (const w of this.wait.values()) w.no(Object.assign(new Error('browser gone'), { cdp: true }))
      this.wait.clear()
      this.root.emit('disconnected')
    }
  }
  send(method, params, sessionId) {
    const id = ++this.n
    return new Promise((ok, no) => {
      this.wait.set(id, { ok, no, method })
      this.ws.send(JSON.stringify({ id, method, params, sessionId }))
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
