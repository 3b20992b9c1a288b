/** The colour of each state of an approval. */
export const approvalKinds = { valid: 'ok', expired: 'warn', revoked: 'bad' } as const
