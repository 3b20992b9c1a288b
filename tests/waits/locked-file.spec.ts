import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from '@playwright/test'
import { headroom } from '../e2e/headroom.ts'
import { newHome } from '../e2e/program.ts'

// The 5 s that a connection waits are real time.
for (const file of ['workbook', 'store']) {
  test(`a command whose ${file}.sqlite stays locked by another program fails with a sentence, and nothing is lost`, async () => {
    const home = newHome()
    const first = await headroom(home, ['org', 'list'])
    const other = new DatabaseSync(join(home.folder, 'home', `${file}.sqlite`))
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    const refused = await headroom(home, ['org', 'list'])
    other.close()
    expect([refused, await headroom(home, ['org', 'list'])]).toEqual([
      {
        code: 3,
        output: '',
        errors: `The file ${file}.sqlite is in use by another program: ${file}.sqlite is locked by another program (database is locked). Close that program, such as a backup or a database viewer, then start Headroom again.\n`,
      },
      first,
    ])
    home.remove()
  })
}
