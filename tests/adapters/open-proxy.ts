import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

/** What the proxy does with a request for a connection. */
export type Behaviour = 'works' | 'wants-sign-in' | 'forbids' | 'hangs' | 'closes'

export interface RunningProxy {
  readonly url: string
  readonly port: number
  /** The hosts and ports asked for, in order. */
  readonly asked: readonly string[]
  /** What the requests contained to sign in, `user:password`; null: nothing. */
  readonly signIns: readonly (string | null)[]
  close(): void
}

/**
 * A real proxy for https on loopback. It connects every name to `port`; with `signIn` only for those who have
 * it.
 */
export async function openProxy(
  behaviour: Behaviour,
  { port = 0, signIn = 'known:secret' }: { readonly port?: number; readonly signIn?: string } = {},
): Promise<RunningProxy> {
  const asked: string[] = []
  const signIns: (string | null)[] = []
  const open = new Set<Duplex>()
  const server: Server = createServer().on('connect', ({ url = '', headers }, socket: Duplex) => {
    open.add(socket)
    socket.on('error', () => undefined)
    const [, given] = /^Basic (.+)$/.exec(headers['proxy-authorization'] ?? '') ?? []
    const found = given === undefined ? null : Buffer.from(given, 'base64').toString()
    asked.push(url)
    signIns.push(found)
    if (behaviour === 'hangs') return
    if (behaviour === 'closes') return socket.destroy()
    if (behaviour === 'forbids') return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    if (behaviour === 'wants-sign-in' && found !== signIn)
      return socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="x"\r\n\r\n',
      )
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    open.add(onward)
    onward.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${own}`,
    port: own,
    asked,
    signIns,
    close: () => {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
