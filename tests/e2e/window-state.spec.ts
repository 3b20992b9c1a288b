import { expect, test } from '@playwright/test'
import { newHome, startProgram, type Home, type Program } from './program.ts'

let home: Home
let program: Program | null = null
test.beforeEach(() => {
  home = newHome()
})
test.afterEach(async () => {
  await program?.close()
  program = null
  home.remove()
})

const bounds = (): Promise<unknown> =>
  program!.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getBounds())
const setBounds = (to: { x: number; y: number; width: number; height: number }): Promise<unknown> =>
  program!.app.evaluate(
    ({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]!.setBounds(wanted),
    to,
  )

test('the window opens with its previous size and position, and on an existing display if that one is missing', async () => {
  program = await startProgram(home)
  await setBounds({ x: 40, y: 30, width: 1000, height: 700 })
  await program.close()
  program = await startProgram(home)
  expect(await bounds()).toEqual({ x: 40, y: 30, width: 1000, height: 700 })

  await setBounds({ x: 5_000, y: 30, width: 1000, height: 700 })
  await program.close()
  program = await startProgram(home)
  const { width, height } = await program.app.evaluate(({ screen }) => screen.getPrimaryDisplay().workArea)
  expect(await bounds()).toEqual({ x: width - 1000, y: Math.min(30, height - 700), width: 1000, height: 700 })
})
