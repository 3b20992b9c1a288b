'use strict'
// utilityProcess.fork: a Node child with process.parentPort, which ends with us.
const { fork } = require('node:child_process')
const { EventEmitter } = require('node:events')
const { pathToFileURL } = require('node:url')
const { world } = require('./world.cjs')

const boot = pathToFileURL(require.resolve('./utility-boot.mjs')).href
const children = new Set()

class UtilityProcess extends EventEmitter {
  constructor(modulePath, args = [], options = {}) {
    super()
    if (!world.ready) throw new Error('utilityProcess cannot be created before app is ready.')
    const stdio = options.stdio ?? 'inherit'
    const streams = Array.isArray(stdio) ? ['ignore', stdio[1], stdio[2]] : ['ignore', stdio, stdio]
    this.child = fork(modulePath, args, {
      cwd: options.cwd,
      env: { ...(options.env ?? process.env), STANDIN_UTILITY: '1' },
      execArgv: ['--disable-warning=ExperimentalWarning', '--import', boot, ...(options.execArgv ?? [])],
      serialization: 'advanced',
      stdio: [...streams, 'ipc'],
    })
    this.pid = undefined
    this.stdout = this.child.stdout
    this.stderr = this.child.stderr
    children.add(this.child)
    this.child.on('spawn', () => {
      this.pid = this.child.pid
      this.emit('spawn')
    })
    this.child.on('message', (message) => this.emit('message', message))
    this.child.on('error', () => {})
    this.child.on('exit', (code, signal) => {
      children.delete(this.child)
      this.pid = undefined
      this.emit('exit', code ?? (signal === 'SIGTERM' ? 15 : 9))
    })
  }
  postMessage(message, transfer = []) {
    if (transfer.length > 0)
      throw new Error('electron stand-in: ports cannot be transferred to a utility process')
    if (this.child.connected) this.child.send(message)
  }
  kill() {
    return this.child.kill('SIGTERM')
  }
}

process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

module.exports = {
  utilityProcess: { fork: (modulePath, args, options) => new UtilityProcess(modulePath, args, options) },
}
