import type { Platform } from '../platform.ts'

/** What organizations need of the platform. */
export type OrganizationsPlatform = Pick<
  Platform,
  'clock' | 'newId' | 'keychain' | 'log' | 'demonstration' | 'keyFromEnvironment'
>
