import { expect, test } from '@playwright/test'
import { headroom } from './headroom.ts'
import { goTo, startProgram, startSynced, type Home, type Program, type Service } from './program.ts'

let home: Home
let program: Program
let service: Service

test.beforeEach(async () => {
  ;({ home, program, service } = await startSynced(300, 12))
})
test.afterEach(async () => {
  await program.close()
  await service.end()
  home.remove()
})

interface Listed {
  readonly id: string
  readonly serialNumber: string | null
  readonly tags: readonly string[]
}
/** Devices as the command line lists them, for the same home. */
async function listed(where: string): Promise<Listed[]> {
  const said = await headroom(home, ['devices', '--where', where, '--jsonl'])
  // The fleet may still be compared.
  expect([said.code, said.errors]).toEqual([
    0,
    expect.stringMatching(/^(?:Comparing, \d+ of \d+ products\.\n)?$/),
  ])
  return said.output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Listed)
}

test('a list of serials is pasted, found, tagged and saved as a view, which a restart and the command line find again', async () => {
  const { page } = program
  // Serials of twelve hexadecimal digits, as some boxes print them: like MAC addresses.
  const serials = (await listed(''))
    .flatMap(({ serialNumber }) => (/^[0-9A-F]{12}$/.test(serialNumber ?? '') ? [serialNumber!] : []))
    .slice(0, 7)
  const [a, b, c, d, e, f, g] = serials as [string, string, string, string, string, string, string]
  const inPairs = (serial: string, between: string): string => serial.match(/.{1,2}/g)!.join(between)
  const pasted = [
    a.toLowerCase(),
    `"${b}"`,
    inPairs(c, ':'),
    inPairs(d, '-').toLowerCase(),
    `;${e}`,
    `\t${f}  `,
    g,
    a,
    'NOT-A-DEVICE-1',
    'ffffffffffff0',
  ].join('\r\n')

  await goTo(page, 'Devices')
  await page.getByRole('button', { name: 'Paste a list' }).click()
  const dialog = page.getByRole('dialog', { name: 'Paste a list' })
  await dialog.getByLabel('List', { exact: true }).fill(pasted)
  for (const [kind, count] of [
    ['Found', 7],
    ['Not found', 2],
    ['Duplicates', 1],
  ] as const)
    await expect(dialog.getByRole('tab', { name: new RegExp(`^${kind}\\s*${count}$`) })).toBeVisible()
  await dialog.getByRole('tab', { name: /^Not found/ }).click()
  await expect(dialog.getByRole('list', { name: 'Not found' }).getByRole('listitem')).toHaveText([
    'NOT-A-DEVICE-1',
    'ffffffffffff0',
  ])
  await dialog.getByLabel('Name of the list').fill('Lorry 7')
  await dialog.getByRole('button', { name: 'Show 7 devices' }).click()
  await expect(page.getByText('7 of 300').first()).toBeVisible()

  await page.getByRole('grid', { name: 'Devices' }).getByRole('row').nth(1).click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+a')
  const chosen = page.getByRole('region', { name: 'Selected devices' })
  await expect(chosen.getByText('7 selected')).toBeVisible()
  await chosen.getByRole('button', { name: 'Tag…' }).click()
  const tagging = page.getByRole('dialog', { name: 'Tag 7 devices' })
  await expect(tagging.getByLabel('Find or add a tag')).toBeFocused()
  await page.keyboard.type('loan')
  await page.keyboard.press('Enter')
  await expect(page.locator('.toast').getByText('7 devices tagged “loan”')).toBeVisible()

  await page.getByRole('button', { name: 'Clear filter' }).click()
  await page.keyboard.type('tag:loan ')
  await expect(page.getByText('7 of 300').first()).toBeVisible()
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Save as…' }).click()
  await page.getByRole('dialog', { name: 'Save this view' }).getByLabel('Name').fill('Loan pool')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'View Loan pool' })).toBeVisible()
  expect(program.pageErrors).toEqual([])
  await program.close()

  program = await startProgram(home)
  await goTo(program.page, 'Devices')
  await program.page.getByRole('button', { name: /^(Views|View Loan pool)$/ }).click()
  await program.page.getByRole('menuitemradio', { name: /Loan pool/ }).click()
  await expect(program.page.getByText('7 of 300').first()).toBeVisible()
  for (const serial of serials)
    await expect(
      program.page.getByRole('grid', { name: 'Devices' }).getByText(serial, { exact: true }),
    ).toBeVisible()
  expect(program.pageErrors).toEqual([])

  const reported = await listed('tag:loan')
  expect(reported.map((device) => [device.serialNumber, device.tags]).sort()).toEqual(
    serials.map((serial) => [serial, ['loan']]).sort(),
  )
})
