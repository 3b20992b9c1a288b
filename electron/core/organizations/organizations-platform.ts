import type { Platform } from '../platform.ts'

/** The parts of the platform that organizations need. */
export type OrganizationsPlatform = Pick<
  Platform,
  'clock' | 'newId' | 'keychain' | 'log' | 'demonstration' | 'keyFromEnvironment'
>
