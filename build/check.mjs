// npm run check: types, lint, format, dead code and directions, without a test.
import { onNode24 } from './prepare.mjs'
import { allChecks, conclude } from './steps.mjs'

const node = await onNode24(import.meta.url)
conclude(await allChecks(node))
