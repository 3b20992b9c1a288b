/** The lists that have a filter, a layout and saved views. */
export const listNames = ['devices', 'rooms', 'changes', 'journal'] as const
export type ListName = (typeof listNames)[number]
