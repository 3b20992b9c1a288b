import { randomBytes } from 'node:crypto'

/**
 * 96 random bits that can be typed on a command line: an id that begins with `-` would be read as an option.
 */
export const newId = (): string => randomBytes(12).toString('hex')
