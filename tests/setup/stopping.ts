import { it } from 'vitest'

/** A test that stops a process, which Windows cannot. */
export const stopping: ReturnType<typeof it.skipIf> = it.skipIf(process.platform === 'win32')
