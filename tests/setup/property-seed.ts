import * as fc from 'fast-check'
import { propertySeed } from './seed.ts'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: propertySeed })
