import { afterAll, afterEach } from 'vitest'
import { watchWarnings } from './warnings.ts'

/** A warning of Vue, of the router or of a component fails the test during which it is told: nobody reads them in a run that passes. */
const expectNone = watchWarnings(console)
afterEach(expectNone)
afterAll(expectNone)
