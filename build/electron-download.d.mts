export const silenceInMs: number
export function downloadElectron(say: (line: string) => void): Promise<void>
