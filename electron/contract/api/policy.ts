import { z } from 'zod'

/** The version of the document that this program reads. */
export const policyVersion = 1

/** Longest lists and texts; a longer one is a mistake. */
const entriesAtMost = 1_000
/** A DNS name in lower case; its last part begins with a letter, so an IP address is none. */
const name = String.raw`(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?`
const allowedHost = z
  .string()
  .max(255)
  .regex(
    new RegExp(String.raw`^(?:\*\.)?${name}$`),
    'a host name in lower case without port or address, such as "api.example.com" or "*.example.com"',
  )
const proxy = z
  .string()
  .max(300)
  .regex(
    new RegExp(String.raw`^(?:direct|http://(?:${name}|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\]):\d{1,5})$`),
    '"direct" or "http://HOST:PORT" without a sign-in',
  )

/**
 * What an administrator may restrict or preset, and nothing else: parser, ADMX, the configuration profile of macOS,
 * the JSON schema and the page *Rollout* are made of it. `description` is for administrators; the text of a
 * `regex` continues "must be".
 */
export const policyMembers = z.strictObject({
  policy: z.literal(policyVersion).meta({
    description: 'The version of this document: always 1.',
    examples: [policyVersion],
  }),
  organizations: z
    .array(z.strictObject({ name: z.string(), managementUrl: z.string(), metadataUrl: z.string() }))
    .max(entriesAtMost)
    .readonly()
    .exactOptional()
    .meta({
      description:
        'Organizations that are added at start and cannot be changed or removed. One with the same name is taken over.',
      examples: [
        [
          {
            name: 'Example',
            managementUrl: 'https://api.example.com',
            metadataUrl: 'https://cdn.example.com',
          },
        ],
      ],
    }),
  allowedHosts: z
    .array(allowedHost)
    .max(entriesAtMost)
    .readonly()
    .exactOptional()
    .meta({
      description:
        'The only hosts that Headroom connects to, each hop of a redirect too. "*.example.com" is every name below example.com, not example.com itself. An empty list allows none. Proxies are not affected; the demonstration is, because it is a host too.',
      examples: [['api.example.com', '*.example.com']],
    }),
  demonstration: z
    .boolean()
    .exactOptional()
    .meta({
      description: 'false: the demonstration cannot be added or served.',
      examples: [false],
    }),
  lookOnly: z
    .boolean()
    .exactOptional()
    .meta({
      description:
        'true: no operation that changes something at the service. Plans can be made; pausing and cancelling, keys, tags, notes and downloads are not affected.',
      examples: [true],
    }),
  mostItems: z
    .int()
    .min(0)
    .max(1_000_000)
    .exactOptional()
    .meta({
      description:
        'The most rooms and devices that one user of the computer may act on within 60 minutes, in all jobs and single actions of a data folder.',
      examples: [20],
    }),
  export: z
    .boolean()
    .exactOptional()
    .meta({
      description:
        'false: no exported files, printed sheets and site kits. What a command writes to standard output is not affected.',
      examples: [false],
    }),
  webhooks: z
    .boolean()
    .exactOptional()
    .meta({
      description: 'false: webhooks cannot be validated.',
      examples: [false],
    }),
  proxy: proxy.exactOptional().meta({
    description:
      'The proxy of every connection: "http://HOST:PORT" without a sign-in, or "direct" for none. This computer is always reached directly.',
    examples: ['http://proxy.example.com:8080'],
  }),
  newerVersions: z
    .boolean()
    .exactOptional()
    .meta({
      description:
        'Whether Headroom asks for newer versions. MSI, deb and rpm ask only with true; nothing is ever installed.',
      examples: [false],
    }),
  lockAfterMinutes: z
    .int()
    .min(1)
    .max(15)
    .exactOptional()
    .meta({
      description: 'Minutes without an action after which actions are locked again (15 without a policy).',
      examples: [5],
    }),
  journalDays: z
    .int()
    .min(30)
    .max(36_500)
    .exactOptional()
    .meta({
      description:
        'Days that the journal is kept; older lines are removed at start (never without a policy).',
      examples: [400],
    }),
  optional: z
    .array(z.string())
    .max(entriesAtMost)
    .readonly()
    .exactOptional()
    .meta({
      description:
        'Members that an older Headroom may ignore. Without it a member that Headroom does not know locks actions. A known member always counts.',
      examples: [['member']],
    }),
})

export type PolicySettings = Partial<z.infer<typeof policyMembers>>
export type PolicyMember = keyof PolicySettings

/** `locked`: there is a policy that cannot be used completely, so that nothing can be changed. */
export interface PolicyState {
  /** Where it is, or would be. */
  readonly file: string
  readonly state: 'none' | 'applied' | 'locked'
  /** A sentence with file and line; null: none. */
  readonly problem: string | null
  /** Those that hold now, in the order of the document. */
  readonly settings: readonly { readonly name: PolicyMember; readonly value: PolicyValue }[]
}

export type PolicyValue = PolicySettings[PolicyMember] & {}
