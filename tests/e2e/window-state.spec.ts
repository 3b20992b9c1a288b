import { expect, test } from '@playwright/test'
import { callCore } from './core-behind.ts'
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

const themeSource = (): Promise<string> => program!.app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)

test('the window opens with its previous size, position and theme, and on an existing display if that one is missing', async () => {
  program = await startProgram(home)
  await callCore(program.page, 'app.setPreferences', { theme: 'dark' })
  await expect.poll(themeSource).toBe('dark')
  await setBounds({ x: 40, y: 30, width: 1000, height: 700 })
  await program.close()
  program = await startProgram(home)
  expect([await bounds(), await themeSource()]).toEqual([{ x: 40, y: 30, width: 1000, height: 700 }, 'dark'])

  await setBounds({ x: 5_000, y: 30, width: 1000, height: 700 })
  await program.close()
  program = await startProgram(home)
  const { width, height } = await program.app.evaluate(({ screen }) => screen.getPrimaryDisplay().workArea)
  expect(await bounds()).toEqual({ x: width - 1000, y: Math.min(30, height - 700), width: 1000, height: 700 })
})
