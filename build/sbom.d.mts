export interface Runtime {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly system: string
  readonly bytes: Uint8Array
}
export interface Sbom {
  readonly components: readonly {
    readonly type: string
    readonly name: string
    readonly version: string
    readonly purl: string
    readonly licenses: readonly { readonly license: { readonly id: string } }[]
    readonly hashes: readonly { readonly alg: string; readonly content: string }[]
  }[]
}
export function sbomOf(of: {
  readonly manifest: { readonly name: string; readonly version: string; readonly license: string }
  readonly lock: { readonly packages: Readonly<Record<string, unknown>> }
  readonly packages: readonly string[]
  readonly runtimes: readonly Runtime[]
}): Sbom
