import type { PolicyFile, PolicySource } from '../electron/core/platform.ts'

/** The place of an administrator's policy, which a test fills. */
export class FakePolicy implements PolicySource {
  static readonly file = '/etc/headroom/policy.json'
  #found: PolicyFile = { kind: 'none', file: FakePolicy.file }
  #changed: () => void = () => undefined

  /** `document`: its members besides `policy: 1`, or the text of the file; null: there is no file. */
  constructor(document: object | string | null = null) {
    this.#found = fileOf(document)
  }
  async read(): Promise<PolicyFile> {
    return this.#found
  }
  watch(changed: () => void): () => void {
    this.#changed = changed
    return () => (this.#changed = () => undefined)
  }
  /** The system tells that the file changed. */
  become(document: object | string | null): void {
    this.becomeSilently(document)
    this.#changed()
  }
  becomeSilently(document: object | string | null): void {
    this.#found = fileOf(document)
  }
}

function fileOf(document: object | string | null): PolicyFile {
  const { file } = FakePolicy
  if (document === null) return { kind: 'none', file }
  const text = typeof document === 'string' ? document : JSON.stringify({ policy: 1, ...document })
  return { kind: 'found', file, bytes: Buffer.from(text) }
}
