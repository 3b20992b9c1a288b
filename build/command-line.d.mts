export const systems: readonly string[]
export function writeSizes(system: string, program: string): void
