import type { DemonstrationOptions } from './demonstration.ts'
import type { Fault } from './faults.ts'
import { faultNames, parseFault } from './faults.ts'
import { parseLimits } from './limits.ts'

export interface Arguments {
  readonly options: DemonstrationOptions
  /** One line of JSON instead of text. */
  readonly json: boolean
  /** Ends when standard input ends, because the program that started it has ended. */
  readonly withParent: boolean
}

export const usage = `headroom demo [--devices N] [--rooms N] [--port P] [--latency MS] [--limits PER_SECOND/1,PER_WINDOW/SECONDS] [--seed S]
              [--fault NAME[=RATE]]… [--key KEY] [--secondary-key KEY] [--json] [--with-parent]
faults: ${faultNames.join(', ')}`

/** The problem with the arguments, for the user. */
export class WrongUsage extends Error {}

const most = {
  devices: 1_000_000,
  rooms: 100_000,
  port: 65_535,
  latency: 60_000,
  seed: 4_294_967_295,
} as const

/** Reads the command line. Throws WrongUsage. */
export const parseArguments = (words: readonly string[]): Arguments => {
  const options: { -readonly [K in keyof DemonstrationOptions]: DemonstrationOptions[K] } = {}
  const faults: Fault[] = []
  let json = false
  let withParent = false
  const rest = [...words]
  const valueOf = (name: string): string => {
    const value = rest.shift()
    if (value === undefined || value.startsWith('--')) throw new WrongUsage(`${name} needs a value`)
    return value
  }
  const number = (name: keyof typeof most): number => {
    const value = valueOf(`--${name}`)
    if (!/^\d{1,10}$/.test(value) || Number(value) > most[name])
      throw new WrongUsage(`--${name} must be a whole number up to ${most[name]}`)
    return Number(value)
  }
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [name = '', inline] =
      word.startsWith('--') && !word.startsWith('--fault') ? word.split(/=(.*)/s) : [word]
    if (inline !== undefined) rest.unshift(inline)
    if (name === '--devices') options.devices = number('devices')
    else if (name === '--rooms') options.rooms = number('rooms')
    else if (name === '--port') options.port = number('port')
    else if (name === '--latency') options.latencyMs = number('latency')
    else if (name === '--seed') options.seed = number('seed')
    else if (name === '--key') options.key = valueOf(name)
    else if (name === '--secondary-key') options.secondaryKey = valueOf(name)
    else if (name === '--limits') {
      const limits = parseLimits(valueOf(name))
      if (limits === null) throw new WrongUsage('--limits must look like 100/1,10000/300')
      options.limits = limits
    } else if (name === '--fault') {
      const text = valueOf(name)
      const fault = parseFault(text)
      if (fault === null)
        throw new WrongUsage(
          `--fault ${text}: the name must be one of ${faultNames.join(', ')}, the rate above 0 and at most 1`,
        )
      faults.push(fault)
    } else if (name === '--json') json = true
    else if (name === '--with-parent' || name === '--parent-pipe') withParent = true
    else throw new WrongUsage(`unknown option ${name}`)
  }
  return { options: { ...options, faults }, json, withParent }
}
