import { describe, expect, it } from 'vitest'
import type { Failure } from '../../../electron/contract/failure.ts'
import type { WireResponse, WireFault } from '../../../electron/core/platform.ts'
import { answer } from '../../fake-transport.ts'
import { aFault, aManagementClient, aWrite, call, TwoKeys, writeCall } from './a-request.ts'

const gateway = (status: number, message: string) => answer(status, { statusCode: status, message })

describe('no key in a response of the service', () => {
  const [first, second] = ['key-of-the-first-slot', 'key-of-the-second-slot']

  it('is passed on: neither the one that was sent, nor the previous one', async () => {
    const { run } = await aManagementClient(({ headers }) =>
      headers['Ocp-Apim-Subscription-Key'] === first
        ? gateway(401, `no ${first}`)
        : gateway(400, `${first} and ${second.toUpperCase()} are unknown`),
    )
    expect((await run()).failure).toEqual({
      kind: 'refused',
      call,
      status: 400,
      message: '[subscription key] and [subscription key] are unknown',
    })
  })

  it.each<[string, WireResponse | WireFault, Partial<Failure>]>([
    [
      'the target of a redirect, in lower case like hosts',
      aFault('redirect', 'maybe', `the call is sent on to ${first}.example`),
      {
        kind: 'unreadable-answer',
        where: 'redirect',
        message: 'the call is sent on to [subscription key].example',
      },
    ],
    [
      'why a connection failed',
      aFault('tls', 'no', `the certificate is for ${first}`),
      { kind: 'offline', message: 'the certificate is for [subscription key]' },
    ],
    [
      'a content type',
      answer(200, '<x/>', { 'content-type': `text/${first}` }),
      {
        kind: 'unreadable-answer',
        where: 'content type',
        message: 'text/[subscription key] instead of JSON',
      },
    ],
    [
      'a refusal',
      gateway(401, `no ${first}`),
      { kind: 'key-refused', slot: 'primary', message: 'no [subscription key]' },
    ],
    [
      'a page that is not found',
      answer(404, { message: `/${encodeURIComponent(first)}` }),
      { kind: 'not-found', what: '/[subscription key]' },
    ],
  ])('is contained in %s', async (_, script, failure) => {
    const { run } = await aManagementClient(() => script, { keys: new TwoKeys({ primary: first }) })
    expect((await run()).failure).toMatchObject(failure)
  })

  it('is contained in an unreadable response to a write', async () => {
    const { run } = await aManagementClient(() => aFault('redirect', 'maybe', `to ${first}.example`))
    expect((await run(aWrite())).failure).toEqual({
      kind: 'unconfirmed',
      call: writeCall,
      message: 'to [subscription key].example',
    })
  })

  it('is stored in a record: neither in the data nor in the original text', async () => {
    const { run } = await aManagementClient(() =>
      answer(200, {
        items: [
          { id: 'd1', name: `room ${first}` },
          { id: 'd2', name: 'Aarhus' },
        ],
      }),
    )
    const json = {
      items: [
        { id: 'd1', name: 'room [subscription key]' },
        { id: 'd2', name: 'Aarhus' },
      ],
    }
    expect((await run()).answer).toMatchObject({ json, text: JSON.stringify(json) })
  })
})
