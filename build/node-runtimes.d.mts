interface Published {
  readonly file: string
  readonly sha256: string
}
export const nodeVersion: string
export const published: Readonly<Record<string, Published>>
export function fetchPublished(published: Published, to: string, from?: string): Promise<boolean>
