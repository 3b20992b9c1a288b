import type { Transport, WireResponse, WireFault, WireRequest } from '../electron/core/platform.ts'

type Script = (
  request: WireRequest,
  index: number,
) => WireResponse | WireFault | Promise<WireResponse | WireFault>

/** A transport with responses scripted by a test; records every attempt. */
export class FakeTransport implements Transport {
  readonly attempts: WireRequest[] = []
  readonly #script: Script
  constructor(script: Script) {
    this.#script = script
  }
  async attempt(request: WireRequest): Promise<WireResponse | WireFault> {
    const index = this.attempts.push(request) - 1
    return this.#script(request, index)
  }
}

export const answer = (
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): WireResponse => ({
  kind: 'answer',
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
