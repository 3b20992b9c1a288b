import { randomBytes } from 'node:crypto'

/** 96 random bits that can be typed at a prompt: an id that began with `-` would be taken for an option. */
export const newId = (): string => randomBytes(12).toString('hex')
