export const systems: readonly string[]
