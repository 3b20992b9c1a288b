import type { Platform } from '../platform.ts'

/** The parts of the platform that organizations need. */
export type OrganizationsPlatform = Pick<
  Platform,
  'clock' | 'newId' | 'keyHash' | 'keychain' | 'log' | 'demonstration' | 'keyFromEnvironment'
>
