export const exportFormats = ['csv', 'json', 'jsonl', 'xlsx'] as const
export type ExportFormat = (typeof exportFormats)[number]
export const exportDelimiters = [',', ';', '\t'] as const
