import { afterAll, afterEach } from 'vitest'
import { watchWarnings } from './warnings.ts'

/**
 * A warning of Vue, of the router or of a component fails the test that caused it, because nobody reads
 * warnings of a run that passes.
 */
const expectNone = watchWarnings(console)
afterEach(expectNone)
afterAll(expectNone)
