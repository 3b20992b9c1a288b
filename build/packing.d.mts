export function msiProjectCreated(project: string): void
