import * as fc from 'fast-check'
import { cases, count } from './cases.ts'
import { propertySeed } from './seed.ts'

fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  seed: propertySeed,
  numRuns: cases(100),
  includeErrorInReport: true,
  // It also reports asynchronous properties.
  reporter: (details) => {
    count('cases', details.runConfiguration.numRuns ?? cases(100), details.numRuns)
    if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance })
  },
})
