export function findProgram(name: string): string | undefined
export function trySystemPackage(name: string, why: string): void
