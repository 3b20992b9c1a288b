import { randomInt } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runTests } from './load/suite-run.ts'

const root = resolve(import.meta.dirname, '../..')
const rounds = Number(process.env['HEADROOM_ROUNDS'] ?? 3)

/** Every property test with other cases than in `npm test`: each round has its own seed, which is printed before it begins. */
export async function run(
  say: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
): Promise<object> {
  const files = globSync('tests/**/*.test.ts', { cwd: root }).filter((file) =>
    /from 'fast-check'/.test(readFileSync(join(root, file), 'utf8')),
  )
  const figures = []
  const failed = []
  for (let round = 0; round < rounds; round++) {
    const seed = randomInt(2 ** 31)
    say(`HEADROOM_PROPERTY_SEED=${seed}`)
    const result = await runTests(files, { HEADROOM_PROPERTY_SEED: String(seed) })
    figures.push({ seed, passed: result.passed, failed: result.failed.length, seconds: result.seconds })
    failed.push(...result.failed.map((one) => ({ seed, ...one })))
  }
  return { files: files.length, rounds: figures, failed }
}
