export const languages = ['en', 'pseudo'] as const
