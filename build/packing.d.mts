export function msiProjectCreated(project: string): void
export function afterPack(context: {
  readonly electronPlatformName: string
  readonly appOutDir: string
  readonly arch: number
}): Promise<void>
