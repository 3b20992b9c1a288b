import type { Host } from '../host.ts'

/** What organizations need of the host. */
export type OrganizationsHost = Pick<
  Host,
  'clock' | 'newId' | 'keychain' | 'log' | 'demonstration' | 'keyFromEnvironment'
>
