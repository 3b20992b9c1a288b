/** Members of a definition item that a comparison names, in this order. */
export const comparedMembers = [
  'type',
  'allowed',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'unit',
  'default',
  'access',
  'restarts',
] as const
