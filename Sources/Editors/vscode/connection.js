'use strict'
// A connection to the daemon: JSON-RPC 2.0 in LSP's base framing, over the standard streams of `commonplace connect`.

const { spawn } = require('child_process')

class Connection {
  /**
   * @param listeners functions by method, for notifications and requests of the daemon.
   * @param ended called once when it has ended.
   */
  constructor(program, listeners, ended = () => {}) {
    this.whenEnded = ended
    this.waiting = new Map()
    this.number = 0
    this.rest = Buffer.alloc(0)
    this.listeners = listeners
    this.child = spawn(program, ['connect'], { stdio: ['pipe', 'pipe', 'ignore'] })
    this.child.stdout.on('data', (bytes) => this.receive(bytes))
    this.child.stdin.on('error', () => {})
    this.child.on('error', () => this.end(new Error(`“${program}” cannot be started; see the setting commonplace.program.`)))
    this.child.on('exit', () => this.end(new Error('Commonplace has ended.')))
  }

  get isOpen() { return !this.ended }

  request(method, params) {
    if (this.ended) return Promise.reject(this.ended)
    const id = ++this.number
    this.send({ id, method, params })
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }))
  }

  notify(method, params) { if (!this.ended) this.send({ method, params }) }

  close() { this.child.stdin.end() }

  send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))
    this.child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`)
    this.child.stdin.write(body)
  }

  receive(bytes) {
    this.rest = Buffer.concat([this.rest, bytes])
    for (;;) {
      const head = this.rest.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = Number(/Content-Length: *(\d+)/i.exec(this.rest.toString('latin1', 0, head))?.[1])
      if (!Number.isInteger(length)) return this.child.kill()
      if (this.rest.length < head + 4 + length) return
      const message = JSON.parse(this.rest.toString('utf8', head + 4, head + 4 + length))
      this.rest = this.rest.subarray(head + 4 + length)
      this.take(message)
    }
  }

  async take(message) {
    if (message.method === undefined) {
      const waiting = this.waiting.get(message.id)
      this.waiting.delete(message.id)
      if (message.error) waiting?.reject(Object.assign(new Error(message.error.message), { data: message.error.data }))
      else waiting?.resolve(message.result)
      return
    }
    const listener = this.listeners[message.method]
    if (message.id === undefined) { listener?.(message.params); return }
    if (!listener) return this.send({ id: message.id, error: { code: -32601, message: 'unknown method' } })
    this.send({ id: message.id, result: (await listener(message.params).catch(() => null)) ?? null })
  }

  end(error) {
    if (this.ended) return
    this.ended = error
    for (const { reject } of this.waiting.values()) reject(error)
    this.waiting.clear()
    this.whenEnded()
  }
}

module.exports = { Connection }
