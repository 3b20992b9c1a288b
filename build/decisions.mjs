// npm run decisions [WORD…]: prints the dated decisions beside the code, those with every word. `-- --check` compares build/decisions.md with
// them and ends with 1 if it differs; `-- --write` writes that file.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const index = 'build/decisions.md'
const form =
  /^- (?<date>\d{4}-\d\d-\d\d): (?<decision>.+?) Why: (?<why>.+?) Cost: (?<cost>.+?)(?: Rejected: (?<rejected>.+?))?(?: Status: (?<status>.+))?$/

/**
 * The decisions of every README, in the order of their paths, and the lines of their "Decisions" sections that have another form or are not
 * in the order of their dates.
 */
export function decisionsUnder(root) {
  const pages = ['build', 'electron', 'renderer', 'tests']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path)),
    )
    .filter((path) => path.endsWith('README.md'))
    .map((path) => path.split(sep).join('/'))
    .sort()
  const decisions = []
  const wrong = []
  for (const page of pages) {
    const [, section = ''] = readFileSync(join(root, page), 'utf8').split(/^## Decisions$/m)
    let before = ''
    for (const line of section.split(/^## /m, 1)[0].split('\n').filter(Boolean)) {
      const { status = 'in force', rejected = '', ...rest } = form.exec(line)?.groups ?? {}
      if (rest.date === undefined || rest.date < before) wrong.push(`${page}: ${line}`)
      else decisions.push({ page, ...rest, rejected, status })
      before = rest.date ?? before
    }
  }
  return { decisions, wrong }
}

const cell = (text) => text.replaceAll('|', '\\|')

/** The text of build/decisions.md. */
export function indexOf(decisions) {
  const pages = [...new Set(decisions.map(({ page }) => page))]
  return `# Decisions

${decisions.length} decisions, generated from the sections "Decisions" of the READMEs by \`npm run decisions -- --write\`; do not edit. The reasons are in the README. \`npm run decisions -- grid\` finds those with a word.
${pages
  .map(
    (page) => `
## [${posix.dirname(page)}](${posix.relative('build', page)})

| Date | Decision | Cost | Rejected | Status |
|---|---|---|---|---|
${decisions
  .filter((one) => one.page === page)
  .map(
    ({ date, decision, cost, rejected, status }) =>
      `| ${[date, decision, cost, rejected, status].map(cell).join(' | ')} |`,
  )
  .join('\n')}
`,
  )
  .join('')}`
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
if (process.argv[1] !== undefined && relative(process.argv[1], fileURLToPath(import.meta.url)) === '') {
  const { decisions, wrong } = decisionsUnder(root)
  for (const line of wrong) process.stderr.write(`not "- DATE: … Why: … Cost: …", or not in order: ${line}\n`)
  if (process.argv.includes('--write')) writeFileSync(join(root, index), indexOf(decisions))
  else if (process.argv.includes('--check')) {
    if (readFileSync(join(root, index), 'utf8') !== indexOf(decisions)) {
      process.stderr.write(`${index} differs from the decisions: npm run decisions -- --write\n`)
      process.exitCode = 1
    }
  } else {
    const words = process.argv.slice(2).map((word) => word.toLowerCase())
    for (const { page, date, decision, why, cost, rejected, status } of decisions) {
      const text = `${date} ${page}\n  ${decision}\n  Why: ${why}\n  Cost: ${cost}${rejected && `\n  Rejected: ${rejected}`}\n  Status: ${status}\n`
      if (words.every((word) => text.toLowerCase().includes(word))) process.stdout.write(text)
    }
  }
  if (wrong.length > 0) process.exitCode = 1
}
