import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough, Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { show } from '../../electron/cli/command.ts'
import { parse } from '../../electron/cli/grammar.ts'
import { table } from '../../electron/cli/table.ts'
import { terminalOn, withInputKept } from '../../electron/cli/terminal.ts'
import { aTerminal, type TerminalGiven } from './a-terminal.ts'

const program = `
  import { standardTerminal } from ${JSON.stringify(new URL('../../electron/cli/terminal.ts', import.meta.url).href)}
  const terminal = standardTerminal()
  process.stdin.once('end', () => {
    terminal.say('nobody reads this')
    terminal.progress('nor this')
    setImmediate(() => terminal.print('the work is done'))
  }).resume()
`

it('continues when its messages are not read any more, as with 2>&1 | head', async () => {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program],
    { stdio: 'pipe' },
  )
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  child.stderr.destroy()
  await once(child.stderr, 'close')
  child.stdin.end()
  const [code] = (await once(child, 'close')) as [number | null]
  expect([code, output]).toEqual([0, 'the work is done\n'])
})

describe('standard output that takes no more', () => {
  it.each([
    ['EPIPE', 0],
    ['ENOSPC', 3],
  ])('(%s) ends a list, with %i, and not the work of a command', async (reason, code) => {
    const written: string[] = []
    const output = new Writable({
      autoDestroy: false,
      highWaterMark: 1,
      write: (piece: Buffer, _encoding, done) => {
        written.push(piece.toString())
        done(Object.assign(new Error(reason), { code: reason }))
      },
    })
    const terminal = terminalOn({
      input: new PassThrough(),
      output,
      errors: new PassThrough(),
      coloured: false,
    })
    const before = terminal.outputLost()
    const pieces = [terminal.write('first'), terminal.write('second')]
    expect([before, ...(await Promise.allSettled(pieces)).map(({ status }) => status)]).toEqual([
      null,
      'rejected',
      'rejected',
    ])
    terminal.print('the result')
    await expect(terminal.write('third')).rejects.toEqual(expect.objectContaining({ code }))
    expect([terminal.outputLost()?.code, written]).toEqual([code, ['first']])
  })
})

/**
 * Escapes that write the clipboard and the title, move up and erase, reverse text, and end a line in several
 * ways.
 */
const ugly =
  'Bar\u001b]52;c;ZXZpbA==\u0007\u001b[1A\u001b[2K\u009b2J\u202e\u2066\r\n\u0085\u2028\u2029\u007f\u200b\u{E0041}End'
const visible =
  'Bar\\u001b]52;c;ZXZpbA==\\u0007\\u001b[1A\\u001b[2K\\u009b2J\\u202e\\u2066\\u000d\\u000a\\u0085\\u2028\\u2029\\u007f\\u200b\\udb40\\udc41End'

describe.each([
  ['a screen', true],
  ['a pipe', false],
])('on %s', (_, screen) => {
  it('text output shows terminal escapes as text, and a line stays one line', () => {
    const terminal = aTerminal({ screen })
    terminal.print(ugly)
    terminal.print(['first', ugly])
    terminal.say(ugly)
    terminal.say(['first', ugly])
    expect([terminal.output, terminal.errors]).toEqual([
      `${visible}\nfirst\n${visible}\n`,
      `${visible}\nfirst\n${visible}\n`,
    ])
  })

  it('a cell of a table that holds line breaks adds no row and shifts no column', () => {
    const terminal = aTerminal({ screen })
    terminal.print(
      table(
        ['Name', 'Id'],
        [
          ['a\nb', 1],
          ['Hall', 2],
        ],
      ),
    )
    expect(terminal.output).toBe('Name      Id\na\\u000ab  1\nHall      2\n')
  })

  it('a JSON document is unchanged', () => {
    const terminal = aTerminal({ screen })
    show(
      parse([{ name: 'x', operands: [], options: {}, summary: '' }], ['x', '--json']),
      terminal,
      { [ugly]: ugly },
      () => '',
    )
    expect([JSON.parse(terminal.output), terminal.output.match(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu)]).toEqual([
      { [ugly]: ugly },
      ['\n'],
    ])
  })
})

describe('a table', () => {
  const rows = table(
    ['User or room', 'Serial', 'Status', 'Seats'],
    [
      ['Aarhus Fjord 1, second floor, east wing', '00A1D4F2B3C4', 'offline', 6],
      ['Oslo', '00A1D4F2B3C5', 'failed', 12],
    ],
  )
  it.each<[string, TerminalGiven, readonly string[]]>([
    [
      'is whole through a pipe',
      { columns: 40, coloured: true },
      [
        'User or room                             Serial        Status   Seats',
        'Aarhus Fjord 1, second floor, east wing  00A1D4F2B3C4  offline  6',
        'Oslo                                     00A1D4F2B3C5  failed   12',
      ],
    ],
    [
      'fits the terminal, names before serial numbers',
      { screen: true, columns: 46 },
      [
        'User or room      Serial        Status   Seats',
        'Aarhus Fjord 1,…  00A1D4F2B3C4  offline  6',
        'Oslo              00A1D4F2B3C5  failed   12',
      ],
    ],
    [
      'leaves out the last columns rather than half of a serial number',
      { screen: true, columns: 42 },
      [
        'User or room      Serial        Status  …',
        'Aarhus Fjord 1,…  00A1D4F2B3C4  offline',
        'Oslo              00A1D4F2B3C5  failed',
      ],
    ],
    [
      'is coloured where something is to be done',
      { screen: true, columns: 60, coloured: true },
      [
        '[1mUser or room[0m                    [1mSerial[0m        [1mStatus[0m   [1mSeats[0m',
        'Aarhus Fjord 1, second floor,…  00A1D4F2B3C4  [90moffline[0m  6',
        'Oslo                            00A1D4F2B3C5  [31mfailed[0m   12',
      ],
    ],
  ])('%s', (_, given, lines) => {
    const terminal = aTerminal(given)
    terminal.print(rows)
    expect(terminal.output.replaceAll('\u001b', '').split('\n')).toEqual([...lines, ''])
  })
})

it('progress fits one line without terminal escapes', () => {
  const terminal = aTerminal({ screen: true, onProgress: 'drawn' })
  terminal.progress(`1 of 2, ${ugly}`)
  terminal.progress(null)
  expect(terminal.errors).toBe(`\r\u001b[K1 of 2, ${visible}`.slice(0, 4 + 79) + '\r\u001b[K')
})

it('data goes through a pipe unchanged; a screen shows lines and tabs, and no escapes take effect', async () => {
  const [pipe, screen] = [aTerminal(), aTerminal({ screen: true })]
  const data = 'a\tb\r\nc\nd\re\u001b[2Jf'
  await pipe.write(data)
  await screen.write(data)
  expect([pipe.output, screen.output]).toEqual([data, 'a\tb\r\nc\nd\\u000de\\u001b[2Jf'])
})

describe('a key that is typed', () => {
  /** A terminal that records what it shows and its raw mode. */
  const typing = (...pieces: readonly string[]) => {
    const shown: string[] = []
    const input = Object.assign(new PassThrough(), {
      isTTY: true,
      setRawMode: (on: boolean) => shown.push(on ? '[raw]' : '[usual]'),
    })
    const errors = new PassThrough({ encoding: 'utf8' })
    errors.on('data', (piece) => shown.push(String(piece)))
    for (const piece of pieces) input.write(piece)
    const terminal = terminalOn({ input, output: new PassThrough(), errors, coloured: false })
    const { askHidden } = withInputKept(terminal)
    return { shown, answer: askHidden('Key: '), askAgain: () => askHidden('Key: ') }
  }

  it.each([
    ['ends with Enter', ['0a', '1b\r', 'rest'], '0a1b'],
    ['may be pasted with its line end', ['0a1b\n'], '0a1b'],
    ['can be corrected', ['0x', '\u007f', 'a\b', 'a1b\r'], '0a1b'],
    ['may be empty', ['\r'], ''],
  ])('%s', async (_, pieces, key) => {
    const { shown, answer } = typing(...pieces)
    expect([await answer, shown.join('')]).toEqual([key, 'Key: [raw][usual]\n'])
  })

  it('is asked for once, also when the command runs again', async () => {
    const { shown, answer, askAgain } = typing('0a1b\r')
    await answer
    expect([await askAgain(), shown.join('')]).toEqual(['0a1b', 'Key: [raw][usual]\n'])
  })

  it('is not asked for where nobody types', async () => {
    expect(await aTerminal().askHidden('Key: ')).toBeNull()
  })
})
