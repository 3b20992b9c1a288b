export const exportFormats = ['csv', 'json', 'jsonl', 'xlsx'] as const
export type ExportFormat = (typeof exportFormats)[number]
/** Formats of rows that are not written to a file. */
export const textFormats = ['csv', 'json', 'jsonl', 'rows', 'records'] as const
export type TextFormat = (typeof textFormats)[number]
/** Programs that keep assets or configuration items, and import a file of devices. */
export const exportPresets = ['snipe-it', 'servicenow', 'glpi', 'netbox'] as const
export type ExportPreset = (typeof exportPresets)[number]
export const exportDelimiters = [',', ';', '\t'] as const
